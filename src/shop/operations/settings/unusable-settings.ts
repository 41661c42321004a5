import { z } from 'zod'
import { taxClassIn } from '#contract/import/product-csv-cells.ts'
import { filledIn, mailKinds } from '#contract/mail/settings.ts'
import { offlineMethods, providerMethods, walletPages } from '#contract/payments/constants.ts'
import { keyOf } from '#contract/shared/merchant-rules.ts'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { hint } from '#contract/shared/suggest-word.ts'
import { methodKinds } from '#contract/shipping/settings.ts'
import { languageProblem, slugOf } from '#contract/translation/language-settings.ts'
import { isCountry } from '#domain/addresses/countries.ts'
import { isCurrency } from '#domain/currency/currency-codes.ts'
import { visibleText } from '#domain/translation/visible-text.ts'
import { languagePathProblem } from '../../translation/slug-problem.ts'

/** A setting of the right form with an unusable value, by path: `fees`, 2, `taxClass`. */
export type UnworkableSetting = { readonly path: readonly PropertyKey[]; readonly problem: string }

/**
 * Returns unusable settings. Commands reject them; stored ones do not keep a shop from starting: they are logged and
 * ignored.
 */
export function unworkableSettings(
  settings: ShopSettings,
  pages: ReadonlySet<string> = new Set(),
): readonly UnworkableSetting[] {
  const found: UnworkableSetting[] = []
  const check = (path: readonly PropertyKey[], problem: string | null) => {
    if (problem !== null) found.push({ path, problem })
  }
  check(['name'], visibleText(settings.name) === '' ? 'must not be empty' : null)
  check(['email'], emailProblem(settings.email))
  check(['language'], languageProblem(settings.language))
  settings.languages.forEach((one, index) => {
    const problem = languageProblem(one.tag)
    check(['languages', index, 'tag'], problem)
    if (problem === null) check(['languages', index, 'slug'], pathProblem(slugOf(one), pages))
  })
  if (!isTimeZone(settings.timeZone))
    check(['timeZone'], `"${settings.timeZone}" must be a time zone like Europe/Berlin`)
  check(['currency'], isCurrency(settings.currency) ? null : `there is no currency "${settings.currency}"`)
  check(['base', 'country'], settings.base.country === '' ? null : countryProblem(settings.base.country))
  if (!isHoldTime(settings.holdStockMinutes))
    check(['holdStockMinutes'], `must be from ${leastHoldMinutes} to ${mostHoldMinutes} minutes`)
  return [...found, ...checkTaxes(settings), ...checkPayments(settings), ...checkMail(settings)]
}

function pathProblem(path: string, pages: ReadonlySet<string>): string | null {
  const problem = languagePathProblem(path, pages)
  const owner = problem === 'reserved' ? 'the shop itself' : 'a page'
  return problem === null ? null : `/${path}/ is an address of ${owner}: choose another slug, like pt-br`
}

function checkTaxes({ taxes, fees }: ShopSettings): UnworkableSetting[] {
  const written = fees.map(({ taxClass }, index) => ({ path: ['fees', index, 'taxClass'], word: taxClass }))
  if (taxes.shippingClass !== 'inherit') written.push({ path: ['taxes', 'shippingClass'], word: taxes.shippingClass })
  return written.flatMap(({ path, word }) => {
    const read = taxClassIn(word, taxes.classes)
    return 'problem' in read ? [{ path, problem: `"${word}" ${read.problem}` }] : []
  })
}

const buttonPages = walletPages.filter((page) => page !== 'shop')
const paymentMethodIds = [...providerMethods, ...offlineMethods]

function checkPayments({ paypal, payments, currencies, fees }: ShopSettings): UnworkableSetting[] {
  const words = (path: readonly PropertyKey[], given: readonly string[], known: readonly string[]) =>
    given.flatMap((word) => {
      const problem = wordProblem(word, known)
      return problem === null ? [] : [{ path, problem }]
    })
  return [
    ...words(['paypal', 'sections'], paypal.sections, buttonPages),
    ...(['payLater', 'card', 'venmo'] as const).flatMap((button) =>
      words(['paypal', button, 'sections'], paypal[button].sections, buttonPages),
    ),
    ...offlineMethods.flatMap((method) =>
      payments[method].shippingMethods.flatMap((written) =>
        // One method by its number, or all of a kind.
        words(['payments', method, 'shippingMethods'], [written.replace(/:\d+$/, '')], methodKinds),
      ),
    ),
    ...currencies.flatMap(({ paymentMethods }, index) =>
      paymentMethods === 'all' ? [] : words(['currencies', index, 'paymentMethods'], paymentMethods, paymentMethodIds),
    ),
    ...fees.flatMap(({ when: { paymentMethod, country } }, index) => [
      ...words(['fees', index, 'when', 'paymentMethod'], paymentMethod ? [paymentMethod] : [], paymentMethodIds),
      ...(country && countryProblem(country.toUpperCase().split(':')[0] ?? '')
        ? [{ path: ['fees', index, 'when', 'country'], problem: `"${country}" must be a country like US, or US:CA` }]
        : []),
    ]),
  ]
}

function checkMail({ mail: { from, smtpUrl, messages } }: ShopSettings): UnworkableSetting[] {
  const found: UnworkableSetting[] = []
  // Empty: the shop's own address, which is checked separately.
  const sender = from.trim() === '' ? null : emailProblem(/^[^<>]*<([^<>]*)>$/.exec(from.trim())?.[1] ?? from)
  if (sender !== null) found.push({ path: ['mail', 'from'], problem: `${sender}, or like Shop <shop@shop.example>` })
  if (smtpUrl !== '' && !smtpAddress.safeParse(smtpUrl).success)
    found.push({ path: ['mail', 'smtpUrl'], problem: 'must be an address like smtp://user:password@host:587' })
  for (const kind of mailKinds) {
    const known = filledIn(kind)
    for (const member of ['subject', 'heading', 'additional'] as const)
      for (const [, name = ''] of messages[kind][member].matchAll(/\{(\w+)\}/g)) {
        const all = known.map((one) => `{${one}}`).join(', ')
        if (!known.some((one) => one === name))
          found.push({
            path: ['mail', 'messages', kind, member],
            problem: `{${name}} is not filled in here: there are ${all}.${hint(name, known)}`,
          })
      }
  }
  return found
}

/** Returns the unusable settings that a change affects: the same setting, a member, or a parent. */
export function unworkableOf(
  settings: ShopSettings,
  changed: readonly (readonly PropertyKey[])[],
  pages?: ReadonlySet<string>,
) {
  return unworkableSettings(settings, pages).filter(({ path }) =>
    changed.some((other) => path.every((part, place) => place >= other.length || part === other[place])),
  )
}

/** Returns the settings for use: an unusable one counts as not set. */
export function workableSettings(settings: ShopSettings): ShopSettings {
  const { timeZone, holdStockMinutes } = settings
  if (isTimeZone(timeZone) && isHoldTime(holdStockMinutes)) return settings
  const unset = shopSettings.parse({})
  return {
    ...settings,
    timeZone: isTimeZone(timeZone) ? timeZone : unset.timeZone,
    holdStockMinutes: isHoldTime(holdStockMinutes) ? holdStockMinutes : unset.holdStockMinutes,
  }
}

/** Returns them in the form of rule faults. */
export function unworkableRules(settings: ShopSettings) {
  return unworkableSettings(settings).map(({ path, problem }) => ({ rule: `setting ${keyOf(path)}`, problem }))
}

/**
 * A payment takes some minutes in the provider's window. There is no "unlimited": abandoned carts would block stock for
 * ever, and agreed amounts would stay valid long after.
 */
const leastHoldMinutes = 5
const mostHoldMinutes = 30 * 24 * 60

function isHoldTime(minutes: number): boolean {
  return minutes >= leastHoldMinutes && minutes <= mostHoldMinutes
}

const emailAddress = z.email()
// Without a host, as in `smtp:mail.example`, emails would go to a mail server of this machine.
const smtpAddress = z.url({ protocol: /^smtps?$/, hostname: /./ })

function emailProblem(text: string): string | null {
  return emailAddress.safeParse(text.trim()).success ? null : `"${text}" must be an email address`
}

function countryProblem(code: string): string | null {
  return isCountry(code) ? null : `"${code}" is no country: write its two letters, like DE`
}

function wordProblem(word: string, known: readonly string[]): string | null {
  return known.includes(word) ? null : `"${word}" must be one of ${known.join(', ')}`
}

const zones = new Map<string, boolean>()

/** A name, not an offset like +02:00: the database interprets those with the opposite sign. */
function isTimeZone(name: string): boolean {
  const known = zones.get(name) ?? (/^[a-z]/i.test(name) && isKnownZone(name))
  zones.set(name, known)
  return known
}

function isKnownZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
