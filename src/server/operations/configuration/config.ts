import { z } from 'zod'
import type { WebhookVerification } from '#paypal/webhook-verification.ts'
import { secretSettings } from '#shop/operations/settings/secret-files.ts'
import { type PurgeSettings, purgeWays } from '../../cache/purge-requests.ts'
import { purgeFaults, purgeSettings } from '../../cache/purge-settings.ts'

/**
 * The operator's configuration, read once from the environment. The merchant's settings are in
 * `contract/shared/settings.ts`.
 */
export type Config = {
  readonly host: string
  /** First port to try; a port in use falls back to the next free one. */
  readonly port: number
  /** True if PORT was set: a fallback is then reported. */
  readonly portGiven: boolean
  /** Without a trailing slash; null: the address of the listener. */
  readonly publicBaseUrl: string | null
  /** Null: the embedded database. */
  readonly databaseUrl: string | null
  /** A direct connection to the same database, where DATABASE_URL leads to a pooler in transaction mode. */
  readonly databaseDirectUrl: string | null
  /** A replica, only for the merchant's reports. */
  readonly databaseReplicaUrl: string | null
  readonly dataDir: string
  /** Folder of the Markdown files of static pages. */
  readonly contentDir: string
  /** True if the shop generates share images. */
  readonly sharePictures: boolean
  /** The merchant's config file; null: shop.config.ts, if it exists. */
  readonly configFile: string | null
  /** Fills an empty shop with demo products and, without provider settings, takes payments through the emulator. */
  readonly demo: boolean
  /** Null: the emulator that the demo starts, or no wallet at all. */
  readonly paypal: PayPalSettings | null
  /** Null: emails become files in the outbox folder. */
  readonly smtpUrl: string | null
  /** API key of the translation engine; null: as in the settings. */
  readonly translationKey: string | null
  /** A sorted file of SHA-1 digests of breached passwords; null: only the shop's own list of common passwords. */
  readonly breachedPasswords: string | null
  /** Signs nonces; null: generated, and stored in the data folder. */
  readonly secret: string | null
  /** Number of the operator's own proxies in front of the shop. */
  readonly trustedProxies: number
  /** `host` or `host:port` of servers in the operator's own network that the shop's settings may address. */
  readonly privateHosts: readonly string[]
  /** Seconds that CDNs may cache a page that is the same for all visitors; 0: they always revalidate. */
  readonly cdnSeconds: number
  /** Bearer token of monitors; null: metrics are closed. */
  readonly metricsToken: string | null
  /** CDNs to purge after changes; null: pages stay cached until they expire. */
  readonly purge: PurgeSettings | null
  /** URL of an OpenTelemetry collector; null: traces are not exported. */
  readonly otlpEndpoint: string | null
  /** Share of the traces that are exported. */
  readonly traceShare: number
  /** Minimum level of the log. */
  readonly logLevel: 'info' | 'warn' | 'error'
  readonly production: boolean
}

export type PayPalSettings = {
  readonly environment: 'sandbox' | 'live'
  readonly sdkUrl: string
  readonly apiBase: string
  readonly webBase: string
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookId: string
  readonly certHosts: readonly string[]
  /** Method of verifying webhooks; `auto` by default. */
  readonly webhookVerification?: WebhookVerification
}

/** One line per missing or invalid setting, each beginning with its name. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const providers = {
  sandbox: {
    sdkUrl: 'https://www.sandbox.paypal.com/sdk/js',
    apiBase: 'https://api-m.sandbox.paypal.com',
    webBase: 'https://www.sandbox.paypal.com',
    certHosts: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
  },
  live: {
    sdkUrl: 'https://www.paypal.com/sdk/js',
    apiBase: 'https://api-m.paypal.com',
    webBase: 'https://www.paypal.com',
    certHosts: ['api.paypal.com', 'api-m.paypal.com'],
  },
} as const

/** The provider's public sandbox client id. Never used with real money. */
const publicSandboxClientId = 'sb'

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address like https://shop.example' })
const base = webAddress.transform((address) => address.replace(/\/+$/, ''))
/** Links on pages begin at the root of their host, so a shop cannot live in a folder of a site. */
const ownOrigin = webAddress
  .refine((address) => isBare(URL.parse(address)), {
    error: 'must end with the host or its port, as https://shop.example does: a shop has an address to itself',
  })
  // Normalized as browsers do, because it is compared with their `Origin` header.
  .transform((address) => new URL(address).origin)
/** An invalid URL is reported elsewhere. */
const isBare = (url: URL | null) =>
  url === null || (!/[^/]/.test(url.pathname) && url.search + url.hash + url.username + url.password === '')
const yesNo = z
  .enum(['1', '0', 'true', 'false', 'yes', 'no', 'on', 'off'], { error: 'must be 1 or 0' })
  .transform((word) => ['1', 'true', 'yes', 'on'].includes(word))

/**
 * Validates a URL with a password. Unescaped characters in the password are reported with the remedy.
 * @param hostname pattern of the host; absent: the host may be empty
 */
const withPassword = (protocol: RegExp, example: string, hostname?: RegExp) => {
  const error = `must be an address like ${example}, in which % / # ? of a password are written %25 %2F %23 %3F`
  return z.url({ protocol, error, ...(hostname && { hostname }) }).refine(isDecodable, { error })
}
const isDecodable = (address: string) => {
  const url = URL.parse(address)
  try {
    return url === null || decodeURIComponent(url.username + url.password + url.pathname) !== null
  } catch {
    return false
  }
}
/**
 * Rejects spaces and `#`: systemd takes a trailing comment as a part of the value, and the provider would only report
 * unknown credentials.
 */
const credential = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be letters, digits and signs without spaces, and nothing behind them')
/** Compares as a URL's host does: any other form would never match. */
const isHost = (host: string) => /^(\[[\da-f:.]+\]|[^\s/:@*[\]]+)(:\d+)?$/i.test(host)
const postgresAddress = withPassword(/^postgres(ql)?$/, 'postgres://user:password@host/name')

const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(1, 'must be 1 to 65535')
    .max(65535, 'must be 1 to 65535')
    .optional(),
  PUBLIC_BASE_URL: ownOrigin.optional(),
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_DIRECT_URL: postgresAddress.optional(),
  DATABASE_REPLICA_URL: postgresAddress.optional(),
  DATA_DIR: z.string().default('data'),
  CONTENT_DIR: z.string().optional(),
  SHOP_CONFIG: z.string().optional(),
  PAYPAL_ENVIRONMENT: z.enum(['sandbox', 'live'], { error: 'must be sandbox or live' }).default('sandbox'),
  PAYPAL_SDK_URL: webAddress.optional(),
  PAYPAL_API_BASE: base.optional(),
  PAYPAL_WEB_BASE: base.optional(),
  PAYPAL_CLIENT_ID: credential.optional(),
  PAYPAL_CLIENT_SECRET: credential.optional(),
  PAYPAL_WEBHOOK_ID: credential.optional(),
  PAYPAL_CERT_HOSTS: z.string().transform(listed).optional(),
  PAYPAL_WEBHOOK_VERIFICATION: z
    .enum(['auto', 'offline', 'api'], { error: 'must be auto, offline or api' })
    .default('auto'),
  // Without a host, as in `smtp:mail.example`, emails would go to a mail server of this machine.
  SMTP_URL: withPassword(/^smtps?$/, 'smtp://user:password@host:587', /./).optional(),
  TRANSLATION_KEY: z.string().max(500).optional(),
  BREACHED_PASSWORDS: z.string().optional(),
  VITRINE_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  TRUSTED_PROXIES: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(0, 'must be 0 to 10')
    .max(10, 'must be 0 to 10')
    .default(0),
  PRIVATE_HOSTS: z
    .string()
    .refine((list) => listed(list).every(isHost), {
      error: 'must be names of hosts, also with a port, and commas between: translate.internal:5000',
    })
    .optional(),
  CDN_SECONDS: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(0, 'must be 0 to 86400')
    .max(86_400, 'must be 0 to 86400')
    .default(0),
  METRICS_TOKEN: z
    .string()
    .min(32, 'must have 32 characters or more')
    .regex(/^[\w.~+/=-]+$/, 'must be of letters, digits and . _ ~ + / = - alone')
    .optional(),
  CDN_PURGE: z.enum(purgeWays, { error: 'must be fastly, cloudflare or varnish' }).optional(),
  CDN_PURGE_URL: z.string().transform(listed).optional(),
  CDN_PURGE_TOKEN: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: base.optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a number' })
    .min(0, 'must be 0 to 1')
    .max(1, 'must be 0 to 1')
    .default(1),
  SHARE_PICTURES: yesNo.default(true),
  VITRINE_DEMO: yesNo.optional(),
  // Some hosting platforms set it for all programs, also in upper case.
  LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['debug', 'info', 'warn', 'error'], { error: 'must be debug, info, warn or error' }))
    .default('warn'),
  /** Read by `logFormat`, before all others. */
  LOG_FORMAT: z.enum(['auto', 'text', 'json'], { error: 'must be auto, text or json' }).optional(),
  NODE_ENV: z.string().default('development'),
})

/** Names of all environment variables that are read here. */
export const settingNames: readonly string[] = Object.keys(variables.shape)

/** Parses `PRIVATE_HOSTS`, for the server and for commands. */
export const readPrivateHosts = (list = ''): readonly string[] => listed(list)

function listed(list: string): string[] {
  return list
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean)
}

type Variables = z.infer<typeof variables>

type Given = Readonly<Record<string, string | undefined>>

/** Compose files and shells express "not set" by an empty variable. */
const givenIn = (environment: Given): Given =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

/** The settings that commands use. They ignore the others, valid or not. */
const ofCommands = variables.pick({
  DATABASE_URL: true,
  DATABASE_DIRECT_URL: true,
  PUBLIC_BASE_URL: true,
  PAYPAL_ENVIRONMENT: true,
  PAYPAL_CLIENT_ID: true,
  PAYPAL_CLIENT_SECRET: true,
  PAYPAL_WEBHOOK_ID: true,
  PAYPAL_API_BASE: true,
  PAYPAL_SDK_URL: true,
  PRIVATE_HOSTS: true,
  SMTP_URL: true,
})

/** @throws ConfigError naming every setting that is invalid for a command, and so for the shop */
export function checkCommandSettings(environment: Given): void {
  const given = givenIn(environment)
  const { error } = ofCommands.safeParse(given)
  if (error) throw new ConfigError(faultLines(error, given).join('\n'))
}

/** @throws ConfigError naming every missing or invalid setting, and its value unless it is a secret */
export function readConfig(environment: Given): Config {
  const given = givenIn(environment)
  const parsed = variables.safeParse(given)
  const wrong = faultLines(parsed.error, given)
  // Reports missing settings for real money together with other faults.
  const sound = parsed.data ?? variables.parse(without(given, parsed.error?.issues.map(({ path }) => path[0]) ?? []))
  const faults = [
    ...wrong,
    ...purgeFaults(sound, given),
    ...(sound.PAYPAL_ENVIRONMENT === 'live' ? liveFaults(sound, given) : sandboxFaults(given)),
  ]
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults.join('\n'))
  const set = parsed.data

  const providerSet = set.PAYPAL_CLIENT_ID ?? set.PAYPAL_API_BASE ?? set.PAYPAL_SDK_URL
  const demo = set.VITRINE_DEMO ?? providerSet === undefined
  return {
    host: set.HOST,
    port: set.PORT ?? 3000,
    portGiven: set.PORT !== undefined,
    publicBaseUrl: set.PUBLIC_BASE_URL ?? null,
    databaseUrl: set.DATABASE_URL ?? null,
    databaseDirectUrl: set.DATABASE_DIRECT_URL ?? null,
    databaseReplicaUrl: set.DATABASE_REPLICA_URL ?? null,
    dataDir: set.DATA_DIR,
    // The demo's pages have a fictitious address: they must never appear in a merchant's shop.
    contentDir: set.CONTENT_DIR ?? (demo ? 'demo/content' : 'content'),
    sharePictures: set.SHARE_PICTURES,
    configFile: set.SHOP_CONFIG ?? null,
    demo,
    paypal: demo && providerSet === undefined ? null : paypalSettings(set),
    smtpUrl: set.SMTP_URL ?? null,
    translationKey: set.TRANSLATION_KEY ?? null,
    breachedPasswords: set.BREACHED_PASSWORDS ?? null,
    secret: set.VITRINE_SECRET ?? null,
    trustedProxies: set.TRUSTED_PROXIES,
    privateHosts: readPrivateHosts(set.PRIVATE_HOSTS),
    cdnSeconds: set.CDN_SECONDS,
    metricsToken: set.METRICS_TOKEN ?? null,
    purge: purgeSettings(set),
    otlpEndpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    traceShare: set.OTEL_TRACES_SAMPLER_ARG,
    logLevel: set.LOG_LEVEL === 'debug' ? 'info' : set.LOG_LEVEL,
    production: set.NODE_ENV === 'production',
  }
}

const faultLines = (error: z.ZodError | undefined, given: Given): string[] =>
  (error?.issues ?? []).map(({ path, message }) => {
    const name = path.join('.')
    return `${name} ${message}${shown(name, given[name])}`
  })

/** Redacts secrets. The URL of a database or a mail server contains a password, too. */
const shown = (name: string, value: string | undefined) =>
  value === undefined || secretSettings.some((secret) => secret === name) ? '' : `, not "${value.slice(0, 100)}"`

function without(given: Given, names: readonly unknown[]) {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
}

function paypalSettings(set: Variables): PayPalSettings {
  const provider = providers[set.PAYPAL_ENVIRONMENT]
  return {
    environment: set.PAYPAL_ENVIRONMENT,
    sdkUrl: set.PAYPAL_SDK_URL ?? provider.sdkUrl,
    apiBase: set.PAYPAL_API_BASE ?? provider.apiBase,
    webBase: set.PAYPAL_WEB_BASE ?? provider.webBase,
    clientId: set.PAYPAL_CLIENT_ID ?? publicSandboxClientId,
    clientSecret: set.PAYPAL_CLIENT_SECRET ?? '',
    webhookId: set.PAYPAL_WEBHOOK_ID ?? '',
    certHosts: set.PAYPAL_CERT_HOSTS ?? provider.certHosts,
    webhookVerification: set.PAYPAL_WEBHOOK_VERIFICATION,
  }
}

/** Half of an account cannot take payments, and without the client id the shop would become a demo. */
function sandboxFaults(given: Given): readonly string[] {
  const has = (name: string) => given[name] !== undefined || given[`${name}_FILE`] !== undefined
  const needed = (name: string, by: string) => (has(by) && !has(name) ? [`${name} is needed with ${by}`] : [])
  return [
    ...needed('PAYPAL_CLIENT_SECRET', 'PAYPAL_CLIENT_ID'),
    ...needed('PAYPAL_CLIENT_ID', has('PAYPAL_CLIENT_SECRET') ? 'PAYPAL_CLIENT_SECRET' : 'PAYPAL_WEBHOOK_ID'),
  ]
}

/** Real money requires the provider's own hosts, a named account, and a public address for webhooks. */
function liveFaults(set: Variables, given: Given): readonly string[] {
  const needed = ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID', 'PUBLIC_BASE_URL'] as const
  const hosts = ['PAYPAL_SDK_URL', 'PAYPAL_API_BASE', 'PAYPAL_WEB_BASE'] as const
  return [
    ...needed
      // An unreadable secret file is reported elsewhere.
      .filter((name) => given[name] === undefined && given[`${name}_FILE`] === undefined)
      .map((name) => `${name} is needed when PAYPAL_ENVIRONMENT is live`),
    ...hosts
      .filter((name) => !isLiveHost(set[name] ?? providers.live.webBase))
      .map((name) => `${name} must be a PayPal host when PAYPAL_ENVIRONMENT is live`),
    ...(set.PAYPAL_CERT_HOSTS ?? [])
      .filter((host) => !isLiveHost(`https://${host}`))
      .map((host) => `PAYPAL_CERT_HOSTS must hold PayPal hosts alone when PAYPAL_ENVIRONMENT is live, not ${host}`),
    ...(set.PAYPAL_CLIENT_ID === publicSandboxClientId
      ? ['PAYPAL_CLIENT_ID must be your own when PAYPAL_ENVIRONMENT is live']
      : []),
    ...(set.PUBLIC_BASE_URL?.startsWith('http:')
      ? ['PUBLIC_BASE_URL must begin with https:// when PAYPAL_ENVIRONMENT is live']
      : []),
    ...(set.VITRINE_DEMO ? ['VITRINE_DEMO must be off when PAYPAL_ENVIRONMENT is live'] : []),
  ]
}

function isLiveHost(address: string): boolean {
  const url = URL.parse(address)
  if (!url) return false
  const { protocol, hostname, port, username } = url
  const ownHost = hostname === 'paypal.com' || hostname.endsWith('.paypal.com')
  return protocol === 'https:' && ownHost && !hostname.includes('.sandbox.') && port === '' && username === ''
}
