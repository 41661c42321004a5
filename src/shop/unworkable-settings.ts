import { taxClassIn } from '#contract/product-csv-cells.ts'
import { type ShopSettings, shopSettings } from '#contract/settings.ts'
import { keyOf } from '#contract/written-rules.ts'

/** A setting that has the right form and cannot be worked with, by its path: `fees`, 2, `taxClass`. */
export type UnworkableSetting = { readonly path: readonly PropertyKey[]; readonly problem: string }

/**
 * What cannot be worked with. It is refused where it is set; what is stored already keeps no shop from starting: it is told, and
 * the shop goes on as well as it can.
 */
export function unworkableSettings(settings: ShopSettings): readonly UnworkableSetting[] {
  const found: UnworkableSetting[] = []
  if (!isTimeZone(settings.timeZone))
    found.push({ path: ['timeZone'], problem: `"${settings.timeZone}" must be a time zone like Europe/Berlin` })
  if (!isHoldTime(settings.holdStockMinutes))
    found.push({
      path: ['holdStockMinutes'],
      problem: `must be from ${leastHoldMinutes} to ${mostHoldMinutes} minutes`,
    })
  const { classes, shippingClass } = settings.taxes
  const taxClass = (path: readonly PropertyKey[], written: string) => {
    const read = taxClassIn(written, classes)
    if ('problem' in read) found.push({ path, problem: `"${written}" ${read.problem}` })
  }
  if (shippingClass !== 'inherit') taxClass(['taxes', 'shippingClass'], shippingClass)
  settings.fees.forEach((fee, index) => {
    taxClass(['fees', index, 'taxClass'], fee.taxClass)
  })
  return found
}

/** Of the settings that cannot be worked with those that a change speaks of: they, something in them, or what they are in. */
export function unworkableOf(settings: ShopSettings, changed: readonly (readonly PropertyKey[])[]) {
  return unworkableSettings(settings).filter(({ path }) =>
    changed.some((other) => path.every((part, place) => place >= other.length || part === other[place])),
  )
}

/** The settings as the shop works with them: what nothing could be done with is as if it had never been set. */
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

/** As the faults of rules are told. */
export function unworkableRules(settings: ShopSettings) {
  return unworkableSettings(settings).map(({ path, problem }) => ({ rule: `setting ${keyOf(path)}`, problem }))
}

/**
 * Who is about to pay needs some minutes in the window of the provider. There is no "for ever": the pieces of everybody who left
 * would be lost to the shop, and figures would hold that were agreed on long ago.
 */
const leastHoldMinutes = 5
const mostHoldMinutes = 30 * 24 * 60

function isHoldTime(minutes: number): boolean {
  return minutes >= leastHoldMinutes && minutes <= mostHoldMinutes
}

const zones = new Map<string, boolean>()

/** A name, and no distance like +02:00: the database reads those the other way round. */
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
