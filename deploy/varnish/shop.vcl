# Varnish (7.1 or newer, with vmod_xkey of varnish-modules) before one shop: keeps pages that belong to nobody for as long as the
# shop allows, and lets go of them when the shop says so. docs/guides/cdn.md tells what to set in the shop.
vcl 4.1;

import std;
import xkey;

# A process of the shop: the nginx of deploy/nginx leads plain http elsewhere, and would take Varnish for the visitor.
backend default {
  .host = "127.0.0.1";
  .port = "3000";
  .first_byte_timeout = 60s;
  .probe = {
    .url = "/readyz";
    .interval = 2s;
    .timeout = 1s;
    .window = 5;
    .threshold = 3;
    .initial = 3;
  }
}

# The machines of the shop: nobody else may have pages let go of.
acl shop {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    # Behind a proxy that ends TLS have Varnish listen by the PROXY protocol: then client.ip is the visitor's. Where it is not,
    # compare a token as well:   || req.http.Authorization != "Bearer <CDN_PURGE_TOKEN>"
    if (client.ip !~ shop) {
      return (synth(403, "Forbidden"));
    }
    if (!req.http.Surrogate-Key) {
      return (synth(400, "No keys"));
    }
    set req.http.X-Gone = xkey.purge(req.http.Surrogate-Key);
    return (synth(200, "Gone: " + req.http.X-Gone));
  }

  # What a visitor claims about the way here ends here; TRUSTED_PROXIES=1 reads it.
  set req.http.X-Forwarded-For = client.ip;

  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # The shop has something to tell this visitor on the next page, or shows another currency.
  if (req.http.Cookie ~ "(^|;\s*)(vitrine_notices|currency)=") {
    return (pass);
  }
  # Whether a page may be kept, the shop says with each answer, whatever cookies came along.
  return (hash);
}

sub vcl_backend_response {
  # A shop that has trouble takes nothing away: what is kept goes out for as long as its grace lasts, and is asked for again.
  if (beresp.status >= 500 && bereq.is_bgfetch) {
    return (abandon);
  }
  if (beresp.ttl <= 0s || beresp.http.Set-Cookie || beresp.http.Cache-Control ~ "(?i)private|no-store|no-cache") {
    # Remembered as one that may not be kept: then nobody waits for another one's answer to see whether it will do.
    set beresp.uncacheable = true;
    set beresp.ttl = 2m;
    set beresp.grace = 0s;
    return (deliver);
  }
  # For how long a page whose time is over may go out while it is asked for again, or while the shop does not answer.
  set beresp.grace = 10m;
  set beresp.http.xkey = beresp.http.Surrogate-Key;
  return (deliver);
}

sub vcl_deliver {
  # Between the shop and its caches.
  unset resp.http.xkey;
  unset resp.http.Surrogate-Key;
  unset resp.http.Surrogate-Control;
  unset resp.http.Cache-Tag;
  unset resp.http.CDN-Cache-Control;
}
