import { z } from 'zod'

const place = z.object({ code: z.string(), name: z.string() })

/** A country of REST v3, with its states where addresses have them. */
export const v3Country = place.extend({ states: z.array(place) })
export const v3Continent = place.extend({ countries: z.array(v3Country) })
export const v3Currency = z.object({ code: z.string(), name: z.string(), symbol: z.string() })
export const v3DataEntry = z.object({ slug: z.string(), description: z.string() })

/** A command of `system_status/tools`. */
export const v3SystemTool = z.object({
  id: z.string(),
  name: z.string(),
  action: z.string(),
  description: z.string(),
  success: z.boolean().optional(),
  message: z.string().optional(),
})

const check = z.object({ check: z.string(), state: z.enum(['ok', 'look', 'missing']), advice: z.string() })

/** `GET wc/v3/system_status`: the members that the shop has. */
export const v3SystemStatus = z.object({
  environment: z.object({
    home_url: z.string(),
    site_url: z.string(),
    version: z.string(),
    server_info: z.string(),
    language: z.string(),
    default_timezone: z.string(),
  }),
  database: z.object({
    wc_database_version: z.string(),
    database_prefix: z.string(),
    maxmind_geoip_database: z.string(),
    database_tables: z.record(z.string(), z.number()),
  }),
  active_plugins: z.array(z.unknown()),
  theme: z.object({ name: z.string() }),
  settings: z.object({
    api_enabled: z.boolean(),
    force_ssl: z.boolean(),
    currency: z.string(),
    currency_symbol: z.string(),
    currency_position: z.string(),
    thousand_separator: z.string(),
    decimal_separator: z.string(),
    number_of_decimals: z.number().int(),
    geolocation_enabled: z.boolean(),
    taxonomies: z.record(z.string(), z.string()),
  }),
  security: z.object({ secure_connection: z.boolean(), hide_errors: z.boolean() }),
  pages: z.array(z.unknown()),
  /** Findings of `npm run shop -- doctor --machine`. */
  checks: z.array(check),
})
export type V3SystemStatus = z.output<typeof v3SystemStatus>
