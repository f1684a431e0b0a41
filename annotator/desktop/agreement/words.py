"""What the Agreement page says where there is no agreement, or where it is not of people alone."""

ASIDE = "A model's judgments count in no score unless it is chosen as the annotator."
ALONE = "Agreement takes two people who judged the same candidates."
OTHER = "Import judgments of another person, merge their copy, or let them judge here under their own name."
FINISH = (
    "It is shown for the queries that you have finished, and for all of them after “Show all and record it…”."
)
NOT_COMPUTED = "Agreement is not computed"
