-- What an order comes to with each way to pay, where fees depend on it: whoever pays it another way later owes that way's fees.
-- Null: it costs the same whichever way it is paid.
alter table orders add column figures_by_method jsonb check (jsonb_typeof(figures_by_method) = 'object');
