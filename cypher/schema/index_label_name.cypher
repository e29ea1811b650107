// name: index_label_name
// mode: schema
// doc: Look-ups of synsets by the names of all their senses (polar_bear.n.01 is ice_bear.n.01).
CREATE INDEX index_label_name IF NOT EXISTS
FOR ()-[label:HAS_LABEL]-() ON (label.name)
