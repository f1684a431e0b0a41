CREATE TABLE project (
    id INTEGER NOT NULL,
    identity VARCHAR NOT NULL,
    created INTEGER NOT NULL,
    format VARCHAR NOT NULL,
    CONSTRAINT pk_project PRIMARY KEY (id),
    CONSTRAINT ck_project_one CHECK (id = 1)
);

CREATE TABLE annotator (
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    CONSTRAINT pk_annotator PRIMARY KEY (id),
    CONSTRAINT ck_annotator_kind CHECK (kind IN ('person', 'model', 'import')),
    CONSTRAINT uq_annotator_name UNIQUE (name)
);

CREATE TABLE system (
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    CONSTRAINT pk_system PRIMARY KEY (id),
    CONSTRAINT uq_system_name UNIQUE (name)
);

CREATE TABLE session (
    id INTEGER NOT NULL,
    identity VARCHAR NOT NULL,
    CONSTRAINT pk_session PRIMARY KEY (id),
    CONSTRAINT uq_session_identity UNIQUE (identity)
);

CREATE TABLE digest (
    name VARCHAR NOT NULL,
    rows INTEGER NOT NULL,
    digest VARCHAR NOT NULL,
    CONSTRAINT pk_digest PRIMARY KEY (name)
);

CREATE TABLE event (
    id INTEGER NOT NULL,
    session INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    clock INTEGER NOT NULL,
    time INTEGER NOT NULL,
    annotator INTEGER NOT NULL,
    task VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    "before" VARCHAR,
    "after" VARCHAR,
    milliseconds INTEGER,
    blind INTEGER NOT NULL,
    how VARCHAR NOT NULL,
    undoes VARCHAR,
    hash BLOB NOT NULL,
    CONSTRAINT pk_event PRIMARY KEY (id),
    CONSTRAINT uq_event_session UNIQUE (session, sequence),
    CONSTRAINT ck_event_sequence CHECK (typeof(sequence) = 'integer' AND sequence >= 0),
    CONSTRAINT ck_event_clock CHECK (typeof(clock) = 'integer' AND clock >= 1),
    CONSTRAINT ck_event_blind CHECK (blind IN (0, 1)),
    CONSTRAINT ck_event_hash CHECK (length(hash) = 32),
    CONSTRAINT fk_event_session FOREIGN KEY(session) REFERENCES session (id),
    CONSTRAINT fk_event_annotator FOREIGN KEY(annotator) REFERENCES annotator (id)
);

CREATE INDEX ix_event_subject ON event (subject);

CREATE INDEX ix_event_annotator ON event (annotator);

CREATE TABLE "query" (
    id INTEGER NOT NULL,
    external VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    tags VARCHAR NOT NULL,
    guidelines VARCHAR NOT NULL,
    fields VARCHAR NOT NULL,
    event INTEGER,
    CONSTRAINT pk_query PRIMARY KEY (id),
    CONSTRAINT uq_query_external UNIQUE (external),
    CONSTRAINT fk_query_event FOREIGN KEY(event) REFERENCES event (id)
);

CREATE TABLE run (
    id INTEGER NOT NULL,
    system INTEGER NOT NULL,
    event INTEGER NOT NULL,
    source VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    order_rule VARCHAR NOT NULL,
    queries INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    digest VARCHAR NOT NULL,
    current INTEGER NOT NULL,
    CONSTRAINT pk_run PRIMARY KEY (id),
    CONSTRAINT ck_run_order_rule CHECK (order_rule IN ('score', 'given')),
    CONSTRAINT fk_run_system FOREIGN KEY(system) REFERENCES system (id),
    CONSTRAINT fk_run_event FOREIGN KEY(event) REFERENCES event (id)
);

CREATE INDEX ix_run_system ON run (system);

CREATE INDEX ix_run_event ON run (event);

CREATE TABLE candidate (
    id INTEGER NOT NULL,
    external VARCHAR NOT NULL,
    "query" INTEGER,
    CONSTRAINT pk_candidate PRIMARY KEY (id),
    CONSTRAINT uq_candidate_external UNIQUE (external),
    CONSTRAINT fk_candidate_query FOREIGN KEY("query") REFERENCES "query" (id)
);

CREATE INDEX ix_candidate_query ON candidate ("query") WHERE "query" IS NOT NULL;

CREATE TABLE ranking_length (
    run INTEGER NOT NULL,
    "query" INTEGER NOT NULL,
    length INTEGER NOT NULL,
    CONSTRAINT pk_ranking_length PRIMARY KEY (run, "query"),
    CONSTRAINT ck_ranking_length_length CHECK (typeof(length) = 'integer' AND length >= 1),
    CONSTRAINT fk_ranking_length_run FOREIGN KEY(run) REFERENCES run (id),
    CONSTRAINT fk_ranking_length_query FOREIGN KEY("query") REFERENCES "query" (id)
)
    WITHOUT ROWID;

CREATE TABLE content (
    candidate INTEGER NOT NULL,
    event INTEGER,
    title VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    fields VARCHAR NOT NULL,
    passage VARCHAR NOT NULL,
    start INTEGER,
    "end" INTEGER,
    CONSTRAINT pk_content PRIMARY KEY (candidate),
    CONSTRAINT ck_content_span CHECK ((start IS NULL) = ("end" IS NULL)),
    CONSTRAINT fk_content_candidate FOREIGN KEY(candidate) REFERENCES candidate (id),
    CONSTRAINT fk_content_event FOREIGN KEY(event) REFERENCES event (id)
);

CREATE TABLE ranking (
    run INTEGER NOT NULL,
    "query" INTEGER NOT NULL,
    candidate INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    score FLOAT,
    CONSTRAINT pk_ranking PRIMARY KEY (run, "query", candidate),
    CONSTRAINT ck_ranking_rank CHECK (typeof(rank) = 'integer' AND rank >= 1),
    CONSTRAINT fk_ranking_run FOREIGN KEY(run) REFERENCES run (id),
    CONSTRAINT fk_ranking_query FOREIGN KEY("query") REFERENCES "query" (id),
    CONSTRAINT fk_ranking_candidate FOREIGN KEY(candidate) REFERENCES candidate (id)
)
    WITHOUT ROWID;

CREATE INDEX ix_ranking_top ON ranking (run, "query", rank) WHERE rank <= 100;

CREATE TABLE imported (
    event INTEGER NOT NULL,
    "query" INTEGER NOT NULL,
    candidate INTEGER NOT NULL,
    grade INTEGER NOT NULL,
    CONSTRAINT pk_imported PRIMARY KEY (event, "query", candidate),
    CONSTRAINT ck_imported_grade CHECK (typeof(grade) = 'integer' AND grade BETWEEN 0 AND 5),
    CONSTRAINT fk_imported_event FOREIGN KEY(event) REFERENCES event (id),
    CONSTRAINT fk_imported_query FOREIGN KEY("query") REFERENCES "query" (id),
    CONSTRAINT fk_imported_candidate FOREIGN KEY(candidate) REFERENCES candidate (id)
)
    WITHOUT ROWID;

CREATE TABLE judgment (
    annotator INTEGER NOT NULL,
    "query" INTEGER NOT NULL,
    candidate INTEGER NOT NULL,
    state VARCHAR,
    grade INTEGER,
    time INTEGER,
    beside VARCHAR NOT NULL,
    CONSTRAINT pk_judgment PRIMARY KEY (annotator, "query", candidate),
    CONSTRAINT ck_judgment_grade CHECK (CASE state WHEN 'graded' THEN typeof(grade) = 'integer' AND grade BETWEEN 0 AND 5 ELSE grade IS NULL END),
    CONSTRAINT ck_judgment_state CHECK (state IS NULL OR state IN ('graded', 'skipped', 'cannot_tell')),
    CONSTRAINT fk_judgment_annotator FOREIGN KEY(annotator) REFERENCES annotator (id),
    CONSTRAINT fk_judgment_query FOREIGN KEY("query") REFERENCES "query" (id),
    CONSTRAINT fk_judgment_candidate FOREIGN KEY(candidate) REFERENCES candidate (id)
)
    WITHOUT ROWID;

CREATE TABLE value (
    task VARCHAR NOT NULL,
    annotator INTEGER NOT NULL,
    subject VARCHAR NOT NULL,
    "query" INTEGER,
    candidate INTEGER,
    value VARCHAR NOT NULL,
    CONSTRAINT pk_value PRIMARY KEY (task, annotator, subject),
    CONSTRAINT fk_value_query FOREIGN KEY("query") REFERENCES "query" (id),
    CONSTRAINT fk_value_candidate FOREIGN KEY(candidate) REFERENCES candidate (id)
)
    WITHOUT ROWID;

CREATE INDEX ix_value_query ON value ("query", task);
