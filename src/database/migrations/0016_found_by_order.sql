-- What is looked for with every payment, and was found by reading all that had ever been paid.

create index captures_by_order on captures (order_id);

-- How often a customer has used a coupon.
create index coupon_uses_by_coupon on coupon_uses (coupon_id, used_by);
