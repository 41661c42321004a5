-- Whoever keeps another program's books in step asks for what has changed since the last time (`modified_after`, `orderby=modified`).
-- There already where a large shop made it beforehand, without holding up its orders.
create index if not exists orders_by_change on orders (updated_at, id);
