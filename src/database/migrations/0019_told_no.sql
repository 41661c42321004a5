-- Whether the shopper was told that nothing was charged by this wallet order: then only the shopper's own press takes money by it.
alter table wallet_orders add column told_no boolean not null default false;
