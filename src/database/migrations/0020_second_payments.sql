-- Money that came for an order beside what the order counts on: it was paid twice. Its refunds give back nothing of the order.
alter table captures add column stray boolean not null default false;
alter table refunds add column stray boolean not null default false;

-- I1: at most one successful capture per order that it counts on. One that the provider took back counts until that is settled.
drop index captures_once;
create unique index captures_once on captures (order_id)
  where status in ('COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'REVERSED') and not stray;
