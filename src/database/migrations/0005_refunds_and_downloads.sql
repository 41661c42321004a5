-- What is given back of an order, what is disputed, and the files that a paid order opens.

-- One row per wish to give money back, by whichever door it came. `amount` counts against what is left from the moment
-- the row is written, unless it ends as refused.
create table refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  key text not null,                     -- the same wish sent again has the same key
  body_hash text not null,
  -- open: the provider is being asked. pending: it has agreed, and the money is not out yet.
  state text not null check (state in ('open', 'pending', 'done', 'refused')),
  made_by text not null check (made_by in ('shop', 'provider')),
  by_provider boolean not null,          -- false: paid back by hand, the provider knows nothing of it
  capture_id text references captures,
  attempt_id bigint references payment_attempts,
  provider_id text unique,               -- the provider's refund
  amount bigint not null check (amount > 0),
  currency text not null,
  reason text not null default '',
  restock boolean not null default false,
  issue text,                            -- why it was refused, in the provider's word or ours
  created_at timestamptz not null,
  settled_at timestamptz,
  unique (order_id, key)
);
create index refunds_unsettled on refunds (created_at) where state in ('open', 'pending');

-- Which lines, parcels and fees a refund is for. Their sum is the refund's amount, or nothing when it names no line.
create table refund_items (
  refund_id bigint not null references refunds on delete cascade,
  item_id bigint not null references order_items,
  quantity integer not null check (quantity >= 0),
  total bigint not null default 0,
  total_tax bigint not null default 0,
  restocked integer not null default 0 check (restocked between 0 and quantity),
  primary key (refund_id, item_id)
);
create index refund_items_by_item on refund_items (item_id);

create table disputes (
  id text primary key,                   -- the provider's id
  order_id bigint not null references orders,
  status text not null,                  -- the provider's word; RESOLVED ends it
  outcome text,
  changed_at timestamptz not null        -- by the provider's clock: notifications come in any order
);
create index disputes_by_order on disputes (order_id);

-- A file that an order's customer may fetch. The token is the whole secret of its link.
create table download_permissions (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  product_id bigint references products on delete set null,
  file_id text not null,                 -- of the product's list of files
  name text not null,
  token text not null unique,
  remaining integer check (remaining >= 0),   -- null: as often as wanted
  expires_at timestamptz,
  fetched integer not null default 0,
  last_fetched_at timestamptz,
  created_at timestamptz not null,
  unique (order_id, product_id, file_id)
);
