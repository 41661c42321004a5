-- Money that is reserved before it is taken, ways to pay beside the wallet, and ways to pay that are kept for later.

alter table orders drop constraint orders_payment_state_check;
alter table orders add constraint orders_payment_state_check check (payment_state in ('none', 'pending', 'authorising',
  'authorised', 'review', 'captured', 'paid', 'failed', 'attention', 'refunded', 'partly-refunded', 'disputed'));
-- The kept way to pay that a later charge for this order may use.
alter table orders add column kept_method bigint references payment_tokens on delete set null;

alter table wallet_orders
  add column intent text not null default 'CAPTURE' check (intent in ('CAPTURE', 'AUTHORIZE')),
  add column method text not null default 'ppcp';   -- our payment method: the wallet, or a card without one

-- `pay`: a call that opens the wallet order and takes its money in one.
alter table payment_attempts drop constraint payment_attempts_step_check;
alter table payment_attempts add constraint payment_attempts_step_check
  check (step in ('create', 'pay', 'update', 'capture', 'authorise', 'refund', 'void', 'vault'));

-- Money that the provider holds for an order and has not taken yet.
create table authorizations (
  id text primary key,                   -- the provider's id
  order_id bigint not null references orders,
  wallet_order_id text not null references wallet_orders,
  status text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  environment text not null,
  authorized_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index authorizations_once on authorizations (order_id)
  where status in ('CREATED', 'PENDING', 'CAPTURED', 'PARTIALLY_CAPTURED');
alter table captures add column authorization_id text references authorizations;

-- Who a customer of ours is in the provider's vault.
create table vault_customers (
  customer_id bigint not null references customers on delete cascade,
  environment text not null check (environment in ('sandbox', 'live')),
  provider_id text not null check (provider_id <> ''),
  primary key (customer_id, environment),
  unique (environment, provider_id)
);

-- A way to pay that is being saved: one row per attempt, written before the provider is called.
create table setup_tokens (
  request_id text primary key,
  id text unique,                        -- the provider's id; null until it has answered
  session_id text not null,
  customer_id bigint references customers on delete cascade,
  method text not null,
  environment text not null check (environment in ('sandbox', 'live')),
  context text not null,                 -- the page that asked
  state text not null check (state in ('opening', 'open', 'keeping', 'kept', 'failed')),
  instance bigint not null,
  payment_token text,                    -- the provider's id of what was made of it
  created_at timestamptz not null
);
create index setup_tokens_waiting on setup_tokens (created_at) where state in ('opening', 'keeping');

-- Bought only with a way to pay that is kept, also when nothing is due yet: the end of a free trial is charged later.
alter table products add column keeps_method boolean not null default false;
