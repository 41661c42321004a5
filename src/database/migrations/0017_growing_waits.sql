-- How many tries in a row have used a bucket up, for waits that double.
alter table rate_limits add column steps integer not null default 0;
