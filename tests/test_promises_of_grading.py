"""Each promise to the person who grades, and the tests that hold it; a test that is gone is missed here."""

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent

PROMISES = {
    "one key grades, stores and moves on": "desktop/test_grading_loop pressing_a_digit_stores_the_grade",
    "digit row and number pad": "desktop/test_grading_loop the_number_pad_grades",
    "auto-repeat is ignored": "desktop/test_grading_loop a_key_held_down_grades_once",
    "keys do nothing in a text field": "desktop/test_grading_loop keys_do_nothing_while_a_text_field",
    "stored means synced": "faults/test_power_cut",
    "a grade survives a kill": "faults/test_killed_while_grading",
    "no key is swallowed": "desktop/test_grading_loop several_digits_pressed_at_once_all_count",
    "a quick judgment is stored and marked": "desktop/test_grading_loop a_judgment_faster_than_250_ms",
    "no key reaches the next query": "desktop/test_grading_loop no_digit_reaches_a_query_before",
    "another query is unmistakable": "desktop/test_grading_loop a_complete_query_says_so",
    "undo by one key": "desktop/test_grading_loop undo_takes_back_the_last_grade",
    "undo without limit, after a restart": "project/test_judging undo_is_unlimited_and_works_after_a_restart",
    "undo takes back one's own alone": "project/test_judging undo_leaves_another_persons_work_alone",
    "undo of gold answers": "project/test_gold undo_brings_the_old_gold_answers_back",
    "undo goes to a text field first": "desktop/test_grading_loop ctrl_z_goes_to_the_focused_text_field",
    "the last ten, each correctable": "desktop/test_grading_loop the_last_ten_judgments_lead_back",
    "history of a pair": "project/test_judging the_history_of_a_pair_says_who_what_and_how_long",
    "history in words": "project/test_gold the_history_says_what_became_of_the_gold_answers",
    "scores as of a date": "project/test_moments a_date_is_a_moment_too",
    "scores as of last Friday": "project/test_moments words_for_a_moment_are_local_time",
    "blind by default": "desktop/test_grading_loop ranks_scores_and_systems_stay_hidden",
    "unblinding is asked and recorded": "desktop/test_grading_loop unblinding_is_asked_and_recorded",
    "others' grades stay hidden": "project/test_judging each_annotator_sees_only_their_own_grades",
    "others' grades where the project says so": "project/test_judging the_project_may_let_annotators_see",
    "no history unblinds": "project/test_judging the_history_keeps_what_others_judged_from_a_blind",
    "a seeded order that mixes levels": "project/test_judging the_blind_order_is_stable_mixed",
    "orders": "desktop/test_workspace queries_come_in_every_order",
    "filters": "project/test_judging filters_let_through_what_they_name",
    "filters are chips": "desktop/test_workspace a_chip_takes_its_filter_away",
    "text search": "project/test_judging words_of_documents_are_found_once_they_are_indexed",
    "own earlier pairs asked again": "desktop/test_asked_again earlier_candidates_come_between_two_queries",
    "self-agreement and shift are shown": "desktop/agreement/test_again_tab agreement_with_oneself",
    "meanings always in sight": "desktop/test_workspace the_grades_and_their_meanings_are_always_in_sight",
    "guidelines beside the work": "desktop/test_workspace guidelines_are_read_and_written_beside_the_work",
    "excerpt first": "text/test_excerpts the_sentences_that_hold_the_rare_words",
    "full text on Space": "desktop/test_grading_loop space_opens_the_full_text_and_goes_back",
    "the reader keeps its place": "desktop/test_reading the_reader_keeps_its_place_per_text",
    "nothing is fetched": "desktop/test_reading rich_text_fetches_nothing",
    "many megabytes": "desktop/test_reading a_text_of_many_megabytes_comes_in_pieces",
    "images are placeholders": "desktop/test_reading markdown_images_are_placeholders",
    "any script, from either side": "desktop/test_reading lines_begin_where_their_script_begins",
    "a text narrower or wider": "desktop/test_reading the_text_is_made_narrower_and_wider",
    "find in the document": "desktop/test_reading find_goes_on_and_round",
    "other fields by a template": "desktop/test_project_settings other_fields_stand_on_the_cards",
    "query words and gold answers marked": "desktop/test_reading an_excerpt_marks_query_words_and_gold",
    "marks can be switched off": "desktop/test_grading_loop highlighting_can_be_switched_off",
    "answers in their passages": "desktop/test_answers_in_passages the_whole_passage_shows_the_answer_too",
    "every pair is in a stated condition": "project/test_judging every_pair_is_in_a_stated_condition",
    "skip, can't tell, flag": "desktop/test_grading_loop every_state_has_its_key",
    "note": "desktop/test_grading_loop a_note_is_kept",
    "rationale": "desktop/test_workspace selected_words_are_kept_as_the_rationale",
    "note and difficulty of a query": "desktop/test_workspace a_query_has_a_difficulty_and_a_note",
    "a selection becomes a gold answer": "desktop/test_workspace selected_words_become_a_gold_answer",
    "gold answers by keyboard": "desktop/test_gold_editor alt_and_arrows_reorder",
    "gold answers reworded": "desktop/test_gold_editor an_answer_is_reworded_in_place",
    "gold answers removed": "desktop/test_gold_editor del_removes_an_answer_or_a_wording",
    "gold answers dragged": "journeys/test_dragging a_gold_answer_is_dragged",
    "the preview of EM and F1": "desktop/test_gold_editor the_preview_shows_the_tokens",
    "near misses are offered": "desktop/test_gold_editor near_misses_are_offered_as_wordings",
    "unanswerable": "desktop/test_gold_editor unanswerable_takes_the_place_of_answers",
    "every key does something": "desktop/test_actions every_command_of_the_table_does_something",
    "the sheet of keys": "desktop/test_actions the_sheet_shows_every_command_with_its_keys",
    "time focused and not idle": "desktop/test_pacing time_with_the_window_away_does_not_count",
    "progress, rate, time left": "desktop/test_pacing rate_and_time_left_follow",
    "the session, no leaderboard": "desktop/test_workspace the_session_is_summed_up_and_ranks_nobody",
    "names for a screen reader": "desktop/test_window every_control_has_a_name_for_screen_readers",
    "a screen reader's action grades": "desktop/test_grading_loop a_screen_readers_own_action_grades",
    "the accessibility bus": "journeys/test_screen_reader a_screen_readers_action_on_the_accessibility_bus",
    "focus always visible": "desktop/test_focus the_focus_is_always_visible",
    "contrast": "test_theme every_text_colour_reads_on_everything_it_may_stand_on",
    "text at 200% is not cut": "desktop/test_text_size buttons_and_labels_have_room",
    "query, filters and sizes are remembered": "desktop/test_grading_loop the_query_filters_and_sizes",
    "a half-typed answer is kept": "desktop/test_grading_loop an_answer_being_typed_is_there_after_closing",
    "one window per project": "desktop/test_window a_second_start_brings_the_open_window_to_the_front",
    "a monkey": "journeys/test_monkey two_thousand_random_keys_and_clicks",
    "first time on a sample": "journeys/test_grading a_first_time_annotator",
    "200 grades with corrections": "journeys/test_grading two_hundred_grades_in_a_row",
    "ten questions by keyboard": "journeys/test_grading gold_answers_for_ten_questions",
    "two annotators": "journeys/test_grading two_annotators_take_turns",
    "kill -9 and the next start": "journeys/test_grading after_a_crash_every_grade",
}


@pytest.mark.parametrize("promise", PROMISES)
def test_every_promise_of_the_grading_loop_has_its_test(promise: str) -> None:
    file, _, beginning = PROMISES[promise].partition(" ")
    body = ast.parse((HERE / f"{file}.py").read_text(encoding="utf-8")).body
    names = [one.name for one in body if isinstance(one, ast.FunctionDef)]
    assert [name for name in names if name.startswith(f"test_{beginning}")], PROMISES[promise]
