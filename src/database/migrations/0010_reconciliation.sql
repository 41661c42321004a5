-- When the provider was last asked about a wallet order without anybody waiting for it.
alter table wallet_orders add column checked_at timestamptz;
