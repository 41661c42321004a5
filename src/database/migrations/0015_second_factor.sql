-- What staff show besides their password, and how long it is remembered who has looked at whose data.

create table second_factors (
  customer_id bigint primary key references customers on delete cascade,
  secret text not null check (secret <> ''),   -- sealed with a key made of the shop's secret
  confirmed_at timestamptz,                    -- null: nobody has shown yet that a device makes its codes
  last_step bigint not null default 0,         -- the half minute, counted from 1970, whose code was taken last
  created_at timestamptz not null
);

-- Each stands in for a code once, for who has lost the device.
create table recovery_codes (
  customer_id bigint not null references second_factors on delete cascade,
  digest text not null,
  used_at timestamptz,
  primary key (customer_id, digest)
);

-- Of a login: whether the second factor was shown for it.
alter table sessions add column second_factor boolean not null default false;

create index access_log_by_time on access_log (at);
create index access_log_denied on access_log (id) where action = 'denied';
