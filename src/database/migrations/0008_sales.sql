-- What has been sold and is not yet counted in products.total_sales: orders of the same product must not wait for its row.
create table sales_news (
  id bigint generated always as identity primary key,
  product_id bigint not null,            -- the product of the page, not the variation
  pieces integer not null                -- below 0: an order that was counted is off again
);
