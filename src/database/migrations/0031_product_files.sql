-- A product file may write an SKU in another case than the shop.
create index products_sku_lower on products (lower(sku));

-- Links of products to products that the shop does not have yet, by the name in a product file: an SKU, or id: and the ID
-- in the file of another shop. A product of this name takes the place when it comes.
create table product_link_names (
  product_id bigint not null references products on delete cascade,
  kind text not null check (kind in ('grouped', 'upsell', 'crosssell')),
  position integer not null,
  name text not null,
  primary key (product_id, kind, position)
);
create index product_link_names_by_name on product_link_names (lower(name));
