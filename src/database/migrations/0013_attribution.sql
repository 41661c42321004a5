-- Where orders and accounts came from, and the keys with which other programs read orders.

-- What the visitor's browser remembered of how they found the shop: the fields of the public interface that hold
-- something, `device_type`, and `first`, the same of the first visit. Empty: nothing was to be remembered.
alter table orders add column attribution jsonb not null default '{}' check (jsonb_typeof(attribution) = 'object');
alter table customers add column attribution jsonb not null default '{}' check (jsonb_typeof(attribution) = 'object');

-- Reports and other programs ask for a stretch of time, whatever the status.
create index orders_by_time on orders (created_at, id);

-- Neither half of a key can be read from here: of the one there is a digest, the other follows from the first and the salt.
create table api_keys (
  id bigint generated always as identity primary key,
  description text not null check (description <> ''),
  permission text not null default 'read' check (permission in ('read')),
  key_digest text not null unique,       -- sha-256 of the consumer key
  key_end text not null,                 -- its last letters, to tell keys apart
  salt text not null,
  made_by text not null,
  created_at timestamptz not null,
  last_used_at timestamptz               -- to the hour
);

-- What a signed request may be used for once only.
create table api_nonces (
  key_id bigint not null references api_keys on delete cascade,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (key_id, nonce)
);
