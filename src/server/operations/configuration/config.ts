import { z } from 'zod'
import type { WebhookVerification } from '#paypal/webhook-verification.ts'
import { secretSettings } from '#shop/operations/settings/secret-files.ts'
import { type PurgeSettings, purgeWays } from '../../cache/purge-requests.ts'
import { purgeFaults, purgeSettings } from '../../cache/purge-settings.ts'

/** What the operator decides, read once from the environment. What the merchant decides is in `contract/shared/settings.ts`. */
export type Config = {
  readonly host: string
  /** Where to try first; a taken port moves on to the next free one. */
  readonly port: number
  /** Whether PORT was set: moving on from it deserves a word. */
  readonly portGiven: boolean
  /** Without a slash at the end; null: the address we listen on. */
  readonly publicBaseUrl: string | null
  /** Null: the embedded database. */
  readonly databaseUrl: string | null
  /** The same database where connections stay one session: what stands behind DATABASE_URL pools by transaction. */
  readonly databaseDirectUrl: string | null
  /** A replica of it, for the merchant's reports alone. */
  readonly databaseReplicaUrl: string | null
  readonly dataDir: string
  /** The folder of Markdown files that are pages of text. */
  readonly contentDir: string
  /** Whether the shop has pictures made by which its pages are known where they are shared. */
  readonly sharePictures: boolean
  /** What the merchant declares in code; null: shop.config.ts, where there is one. */
  readonly configFile: string | null
  /** Stock an empty shop and, without provider settings, take payments through the emulator. */
  readonly demo: boolean
  /** Null: the emulator that the demo starts, or no wallet at all. */
  readonly paypal: PayPalSettings | null
  /** Null: messages become files in the outbox folder. */
  readonly smtpUrl: string | null
  /** Of the account at the engine that translates; null: as the settings say. */
  readonly translationKey: string | null
  /** A sorted file of SHA-1 digests of passwords out of breaches; null: the shop's own list of common ones has to do. */
  readonly breachedPasswords: string | null
  /** Signs nonces; null: one of our own, kept in the data folder. */
  readonly secret: string | null
  /** How many proxies of the operator's own stand in front. */
  readonly trustedProxies: number
  /** `host` or `host:port` of servers inside the operator's own network that the shop's settings may lead to. */
  readonly privateHosts: readonly string[]
  /** For how long caches in front of the shop may keep a page that is the same for everybody; 0: they ask each time. */
  readonly cdnSeconds: number
  /** What a monitor shows to be told figures; null: whoever asks directly from a private network is. */
  readonly metricsToken: string | null
  /** The caches that are told what has changed; null: pages stay there until their time is over. */
  readonly purge: PurgeSettings | null
  /** Of a collector of traces; null: nobody is told of them. */
  readonly otlpEndpoint: string | null
  /** Share of the traces of which it is told. */
  readonly traceShare: number
  /** From which level on the log is written. */
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
  /** Who says whether a notification is genuine; `auto` unless told. */
  readonly webhookVerification?: WebhookVerification
}

/** One line per setting that is missing or wrong, each beginning with its name. */
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

/** The client id that the provider's sandbox offers to everybody. Never used with real money. */
const publicSandboxClientId = 'sb'

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address like https://shop.example' })
const base = webAddress.transform((address) => address.replace(/\/+$/, ''))
/** Links on pages begin at the root of their host, so a shop cannot live in a folder of a site. */
const ownOrigin = webAddress
  .refine((address) => isBare(URL.parse(address)), {
    error: 'must end with the host or its port, as https://shop.example does: a shop has an address to itself',
  })
  // As browsers write it: what they say of where they come from is compared with it.
  .transform((address) => new URL(address).origin)
/** What is no address at all is told as that. */
const isBare = (url: URL | null) =>
  url === null || (!/[^/]/.test(url.pathname) && url.search + url.hash + url.username + url.password === '')
const yesNo = z
  .enum(['1', '0', 'true', 'false', 'yes', 'no', 'on', 'off'], { error: 'must be 1 or 0' })
  .transform((word) => ['1', 'true', 'yes', 'on'].includes(word))

/**
 * An address with a password. One that breaks off at a sign of it, or holds what cannot be decoded, is told with the remedy.
 * @param hostname what the host has to be like; none given, even none will do
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
/** Where systemd reads settings, a remark behind one is a part of it, and the provider would say no more than that it knows nobody so. */
const credential = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be letters, digits and signs without spaces, and nothing behind them')
/** As the host of an address says it: anything more would never be the same as one. */
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
  // Without a host, as in `smtp:mail.example`, messages would go to a mail server of this machine.
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
  // Hosts set it for all that they run, some in capitals.
  LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['debug', 'info', 'warn', 'error'], { error: 'must be debug, info, warn or error' }))
    .default('warn'),
  /** Read by `logFormat`, before all others. */
  LOG_FORMAT: z.enum(['auto', 'text', 'json'], { error: 'must be auto, text or json' }).optional(),
  NODE_ENV: z.string().default('development'),
})

/** Of everything that is read here. */
export const settingNames: readonly string[] = Object.keys(variables.shape)

/** What `PRIVATE_HOSTS` says, for the server and for commands. */
export const readPrivateHosts = (list = ''): readonly string[] => listed(list)

function listed(list: string): string[] {
  return list
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean)
}

type Variables = z.infer<typeof variables>

type Given = Readonly<Record<string, string | undefined>>

/** An empty variable is how a compose file or a shell says "not set". */
const givenIn = (environment: Given): Given =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

/** What a command reads of the shop's settings. The others it may be given as they are: they mean nothing to it. */
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

/** @throws ConfigError naming every setting that is wrong for a command, which would be wrong for the shop as well */
export function checkCommandSettings(environment: Given): void {
  const given = givenIn(environment)
  const { error } = ofCommands.safeParse(given)
  if (error) throw new ConfigError(faultLines(error, given).join('\n'))
}

/** @throws ConfigError naming every setting that is missing or wrong, and what it is now unless it is a secret */
export function readConfig(environment: Given): Config {
  const given = givenIn(environment)
  const parsed = variables.safeParse(given)
  const wrong = faultLines(parsed.error, given)
  // Whether everything is there for real money can be said as well while something else is wrong.
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
    // The demo's pages carry a made-up address: they are never a merchant's.
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

/** An address of a database or a mail server holds a password too. */
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

/** Half of an account of one's own opens no payment, and would make a demo of the shop where it is the half without the id. */
function sandboxFaults(given: Given): readonly string[] {
  const has = (name: string) => given[name] !== undefined || given[`${name}_FILE`] !== undefined
  const needed = (name: string, by: string) => (has(by) && !has(name) ? [`${name} is needed with ${by}`] : [])
  return [
    ...needed('PAYPAL_CLIENT_SECRET', 'PAYPAL_CLIENT_ID'),
    ...needed('PAYPAL_CLIENT_ID', has('PAYPAL_CLIENT_SECRET') ? 'PAYPAL_CLIENT_SECRET' : 'PAYPAL_WEBHOOK_ID'),
  ]
}

/** Real money only ever meets the provider's own hosts, a named account, and a public address that notifications can reach. */
function liveFaults(set: Variables, given: Given): readonly string[] {
  const needed = ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID', 'PUBLIC_BASE_URL'] as const
  const hosts = ['PAYPAL_SDK_URL', 'PAYPAL_API_BASE', 'PAYPAL_WEB_BASE'] as const
  return [
    ...needed
      // One that cannot be read from its file is told as that.
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
