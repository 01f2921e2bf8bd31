-- What the run had taken on an ideal network, and the path that its length is due to. Older experiments have neither.
ALTER TABLE experiment ADD COLUMN ideal_ns INTEGER;
ALTER TABLE experiment ADD COLUMN critical_estimated_ns INTEGER;
CREATE TABLE critical_path (           -- the chain of work and transfers that the run's length is due to
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where
  pu INTEGER NOT NULL REFERENCES processing_unit(id) ON DELETE CASCADE, -- who was on the path there
  ns INTEGER NOT NULL,                 -- how long; all of an experiment's together are t_p_ns
  PRIMARY KEY (drg_node, pu)
) WITHOUT ROWID;
CREATE INDEX index_critical_path_by_pu ON critical_path(pu);
