import { wantedEvents } from '#contract/paypal/webhook-event.ts'
import { urls } from '#contract/shared/urls.ts'
import { isPayableCurrency } from '#paypal/amounts.ts'
import type { Tools } from '../../shared/tools.ts'
import {
  isDefaultPlace,
  isInventedAddress,
  pagePlaceholder,
  pagesToCheck,
  settingPlaceholders,
} from './check-placeholders.ts'

/** The shop's account at its provider. */
export type ProviderAccount = {
  readonly clientId: string
  readonly webhookId: string
  /** URL of the provider's script. */
  readonly sdkUrl: string
}

/** One requirement for real money, with the remedy if it is not met. */
export type LiveFinding = {
  readonly what: string
  readonly state: 'ok' | 'missing' | 'look'
  readonly advice: string
}

type LiveTools = Pick<Tools, 'settings' | 'paypal' | 'publicUrl' | 'network' | 'clock' | 'paymentEnvironment'>

const timeoutMs = 8_000
const mostClockMs = 5 * 60_000

/**
 * Checks everything that real money requires, from the credentials to the webhook and the shop's public address, as
 * seen from outside. Changes nothing. @param account null: not set in the environment
 */
export async function checkLive(tools: LiveTools, account: ProviderAccount | null): Promise<LiveFinding[]> {
  const parts = await Promise.all([
    Promise.resolve(checkSettings(tools)),
    checkAddress(tools),
    account ? checkScript(tools, account) : [],
    checkAccount(tools, account),
  ])
  return parts.flat()
}

const ok = (what: string, advice = ''): LiveFinding => ({ what, state: 'ok', advice })
const missing = (what: string, advice: string): LiveFinding => ({ what, state: 'missing', advice })
const look = (what: string, advice: string): LiveFinding => ({ what, state: 'look', advice })

function checkSettings({ settings, paymentEnvironment }: LiveTools): LiveFinding[] {
  const { currency, paypal, name, email, base } = settings
  const placeholders = settingPlaceholders(settings)
  return [
    paymentEnvironment === 'live'
      ? ok('environment: live')
      : look('environment: sandbox', 'Set PAYPAL_ENVIRONMENT=live when the test purchases went well.'),
    isPayableCurrency(currency)
      ? ok(`currency: ${currency}`)
      : missing(`currency: ${currency}`, 'PayPal takes no payments in it. Choose another: settings currency EUR'),
    paypal.enabled ? ok('PayPal is switched on') : missing('PayPal is switched off', 'settings paypal.enabled true'),
    paypal.sections.includes('checkout')
      ? ok('the checkout has a PayPal button')
      : look('the checkout has no PayPal button', `settings paypal.sections '["product","cart","checkout"]'`),
    name && email
      ? ok('the shop has a name and an address for its mail')
      : missing('the shop has no name, or no address for its mail', 'settings name, settings email'),
    ...placeholders.map(({ what, advice }) => missing(what, advice)),
    ...(placeholders.length === 0 ? [ok('no setting is a placeholder')] : []),
    ...(isDefaultPlace(base)
      ? []
      : [
          base.country
            ? ok(`the shop is in ${base.country}`)
            : missing("the shop's location is not set", 'settings base'),
        ]),
  ]
}

async function checkAddress(tools: LiveTools): Promise<LiveFinding[]> {
  const url = URL.parse(tools.publicUrl)
  if (url?.protocol !== 'https:' || url.port !== '') {
    return [
      missing(
        `address: ${tools.publicUrl}`,
        'PayPal reaches shops by https on the usual port alone: set PUBLIC_BASE_URL=https://your.shop',
      ),
    ]
  }
  if (isInventedAddress(`${tools.publicUrl}/`)) {
    return [missing(`address: ${tools.publicUrl} is a placeholder`, 'Set PUBLIC_BASE_URL=https://your.shop')]
  }
  const found = [ok(`address: ${tools.publicUrl}`)]
  const answer = await getOnce(tools, `${tools.publicUrl}/healthz`)
  if (typeof answer === 'string') found.push(missing('the shop does not answer there', answer))
  else if (answer.status !== 200 || answer.text.trim() !== 'ok') {
    found.push(missing('something else answers there', `${tools.publicUrl}/healthz should say ok: look at the proxy.`))
  } else found.push(ok('the shop answers there'), ...(await checkPages(tools)))
  return found
}

/** Requests the legal pages, as a visitor gets them. */
async function checkPages(tools: LiveTools): Promise<LiveFinding[]> {
  const wanted = pagesToCheck.filter(({ slug }) => slug !== 'terms' || tools.settings.termsPage)
  const found = await Promise.all(
    wanted.map(async (page) => {
      const answer = await getOnce(tools, tools.publicUrl + urls.page(page.slug))
      const placeholder = typeof answer === 'string' ? null : pagePlaceholder(page, answer)
      return placeholder ? [missing(placeholder.what, placeholder.advice)] : []
    }),
  )
  const bad = found.flat()
  return bad.length > 0 ? bad : [ok('terms and privacy policy are published with your own text')]
}

async function checkScript(tools: LiveTools, account: ProviderAccount): Promise<LiveFinding[]> {
  const query = new URLSearchParams({ 'client-id': account.clientId, currency: tools.settings.currency })
  const answer = await getOnce(tools, `${account.sdkUrl}?${query}`)
  if (typeof answer === 'string') return [missing('the payment script cannot be reached', answer)]
  const clock = checkClock(tools, answer.date)
  if (answer.status < 300) return [ok('the payment script accepts the client id and the currency'), ...clock]
  // Its errors begin with `throw new Error("SDK Validation error: '…'")`.
  const said = /SDK Validation error: '([^']+)'/.exec(answer.text.slice(0, 10_000))?.[1]
  return [missing('the payment script rejects the shop', said ?? `it answers ${answer.status}`), ...clock]
}

function checkClock({ clock }: LiveTools, theirs: string | null): LiveFinding[] {
  const at = Date.parse(theirs ?? '')
  if (Number.isNaN(at)) return []
  if (Math.abs(at - clock.now().getTime()) <= mostClockMs) return [ok('the clock of this machine is right')]
  return [missing('the clock of this machine is wrong', 'Webhooks would be rejected as too old: set its time.')]
}

async function checkAccount(tools: LiveTools, account: ProviderAccount | null): Promise<LiveFinding[]> {
  if (!tools.paypal || !account) {
    return [
      missing(
        'no credentials',
        'Set PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET to those of your app (developer.paypal.com).',
      ),
    ]
  }
  const listed = await tools.paypal.listWebhooks()
  if (!listed.ok) {
    if (listed.kind !== 'refused') return [missing('PayPal cannot be reached', listed.reason)]
    return [
      missing(
        'PayPal rejects the credentials',
        `${listed.issue}: sandbox and live have an id and a secret each; both must be of the environment that is set.`,
      ),
    ]
  }
  const found = [ok('PayPal accepts the credentials')]
  const wanted = tools.publicUrl + urls.paypalWebhook()
  const webhook = listed.value.find(({ id }) => id === account.webhookId)
  if (!webhook) {
    const known = listed.value.find(({ url }) => url === wanted)
    found.push(
      missing(
        account.webhookId ? `no webhook ${account.webhookId} is registered` : 'PAYPAL_WEBHOOK_ID is not set',
        known ? `The one for this shop is PAYPAL_WEBHOOK_ID=${known.id}` : `Register ${wanted} in your app.`,
      ),
    )
  } else {
    found.push(
      webhook.url === wanted
        ? ok('the webhook calls this shop')
        : missing(`the webhook leads to ${webhook.url}`, `It should lead to ${wanted}`),
    )
    const names = new Set(webhook.event_types.map(({ name }) => name))
    const lacking = names.has('*') ? [] : wantedEvents.filter((name) => !names.has(name))
    found.push(
      lacking.length === 0
        ? ok('the webhook has all required events')
        : missing('the webhook lacks events', lacking.join(', ')),
    )
  }
  return [...found, ...(await checkFurther(tools))]
}

/** Checks optional features. */
async function checkFurther(tools: LiveTools): Promise<LiveFinding[]> {
  const { fastlane, cards } = tools.settings.paypal
  const found: LiveFinding[] = []
  if (cards.enabled) {
    found.push(look('cards are switched on', 'The account must be approved for card payments: look at it in PayPal.'))
  }
  if (fastlane.enabled && tools.paypal) {
    const domain = URL.parse(tools.publicUrl)?.hostname ?? ''
    const token = await tools.paypal.browserToken({ domains: [domain] })
    found.push(
      token.ok
        ? ok('accelerated checkout is available to the shop')
        : missing(
            'accelerated checkout is not available to the shop',
            token.kind === 'refused' ? token.issue : token.reason,
          ),
    )
  }
  return found
}

type Answer = { readonly status: number; readonly date: string | null; readonly text: string }

/** Requests an address once, without redirects. @returns the network error, if there was no response */
export async function getOnce(
  { network, clock }: Pick<Tools, 'network' | 'clock'>,
  url: string,
): Promise<Answer | string> {
  const giveUp = new AbortController()
  const done = new AbortController()
  const late = clock.sleep(timeoutMs, done.signal).then(() => giveUp.abort())
  try {
    const response = await network.fetch(url, { redirect: 'manual', signal: giveUp.signal })
    // Read here: data that has not arrived when the timeout is cleared would be lost.
    const text = await response.text()
    return { status: response.status, date: response.headers.get('date'), text }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return giveUp.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : cause
  } finally {
    done.abort()
    await late
  }
}
