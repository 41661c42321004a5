-- Orders of another shop, imported from its file: history that is shown and never processed. Null: an order of this shop.
alter table orders add column imported_from text check (imported_from <> '');
-- The number that the order had there, which customers know.
alter table orders add column imported_number text check (imported_number <> '');
-- History is in no status and in no payment state that a checkout, a job or a refund acts on, and took no stock here.
-- Not validated: no order is history yet.
alter table orders add constraint orders_imported_are_history check (
  (imported_from is null) = (imported_number is null)
  and (imported_from is null or (payment_state = 'none' and not stock_reduced and kept_method is null
    and status in ('on-hold', 'processing', 'completed', 'cancelled', 'refunded')))) not valid;
create index if not exists orders_imported on orders (imported_from, imported_number) where imported_from is not null;
