-- Every minute it is looked for payments that the provider has not decided and holds whose time is over: few among all that ever were.
-- There already where a large shop made them beforehand, without holding up its orders.
create index if not exists captures_undecided on captures (order_id) where status = 'PENDING';
create index if not exists authorizations_held on authorizations (expires_at)
  where status in ('CREATED', 'PENDING', 'PARTIALLY_CAPTURED');
