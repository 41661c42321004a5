-- What programs write over REST v3 and no other column holds, and the trash of orders and coupons.

alter table orders
  add column meta_data jsonb not null default '{}',   -- {entries: [{id, key, value}]}, written by programs
  add column trashed_at timestamptz,                  -- set: shown nowhere but in the trash; any transition clears it
  add column deleted_at timestamptz;                  -- set: removed for good; the row stays for its ledger

alter table coupons
  add column description text not null default '',
  add column status text not null default 'publish' check (status in ('publish', 'draft', 'pending', 'private')),
  add column meta_data jsonb not null default '{}',
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now(),
  add column trashed_at timestamptz;                  -- its code stays taken

-- Without a foreign key: its creation would lock customers while this migration holds orders.
create table customer_meta (
  customer_id bigint primary key,
  meta_data jsonb not null default '{}'               -- {entries: [{id, key, value}]}, written by programs
);
