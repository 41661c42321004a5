-- Records that a migration brought here from another shop, by their IDs there: a repeated migration leaves them as they are.
create table migration_items (
  source text not null,                  -- host and path of the other shop
  kind text not null,
  source_id text not null,
  own_id bigint,                         -- null: it has no ID here, or was left out for good
  primary key (source, kind, source_id)
);
create index migration_items_by_own on migration_items (kind, own_id);

-- Position of an unfinished migration, by kind of record. A finished one has no rows.
create table migration_progress (
  source text not null,
  kind text not null,
  next_page integer not null default 1 check (next_page > 0),
  phase text not null default 'reading',
  state jsonb not null default '{}',
  updated_at timestamptz not null,
  primary key (source, kind)
);
