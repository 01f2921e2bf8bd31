-- Version 4. Who came late where others waited. Older experiments do not say.
CREATE TABLE delay (                   -- what units waited because another one was longer somewhere than they were
  drg_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where they waited
  leaf TEXT NOT NULL REFERENCES overhead_kind(name), -- to what it is booked there
  culprit INTEGER NOT NULL REFERENCES processing_unit(id) ON DELETE CASCADE, -- who came late
  culprit_node INTEGER NOT NULL REFERENCES drg_node(id) ON DELETE CASCADE, -- where it was longer; the root: not known
  ns INTEGER NOT NULL,                 -- of the waits there, summed over those who waited
  passed_ns INTEGER NOT NULL,          -- of ns: the culprit waited itself meanwhile, so others are to blame in the end
  indirect_ns INTEGER NOT NULL,        -- later waits, elsewhere, of others, that came of those there
  wrong_order_ns INTEGER NOT NULL,     -- of ns: another message had been there already, but was received later
  estimated_ns INTEGER NOT NULL,       -- of ns: culprit or culprit_node is an estimate
  PRIMARY KEY (drg_node, leaf, culprit, culprit_node)
) WITHOUT ROWID;
CREATE INDEX index_delay_by_culprit ON delay(culprit);
CREATE INDEX index_delay_by_culprit_node ON delay(culprit_node);
