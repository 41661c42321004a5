import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { readSettingRows } from '#database/operations/configuration.ts'
import type { Tools } from '../../../shared/tools.ts'
import { changeStoredSetting } from '../change-stored-setting.ts'
import { readSettings } from '../shop-configuration.ts'
import type { ClassicSetting, ClassicValue } from './classic-setting.ts'
import { furtherSettings, mailGroups } from './further-settings.ts'
import { generalSettings } from './general-settings.ts'

/** Groups of settings under their classic names. */
export const settingGroups: readonly { readonly id: string; readonly label: string; readonly parent: string }[] = [
  { id: 'general', label: 'General', parent: '' },
  { id: 'products', label: 'Products', parent: '' },
  { id: 'tax', label: 'Tax', parent: '' },
  { id: 'shipping', label: 'Shipping', parent: '' },
  { id: 'checkout', label: 'Payments', parent: '' },
  { id: 'account', label: 'Accounts and privacy', parent: '' },
  { id: 'email', label: 'Emails', parent: '' },
  { id: 'advanced', label: 'Advanced', parent: '' },
  ...mailGroups.map((id) => ({ id, label: labelOf(id), parent: 'email' })),
]

/** `email_new_order` as New order. */
function labelOf(id: string): string {
  const words = id.replace(/^email_(?:customer_)?/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const all: readonly ClassicSetting[] = [...generalSettings, ...furtherSettings]

/** A setting with its value now, and its default. */
export type ShownSetting = Omit<ClassicSetting, 'read' | 'write'> & {
  readonly value: ClassicValue
  readonly default: ClassicValue
}

/** Returns the settings of a group as they are stored now; null for an unknown group. */
export async function showClassicSettings(
  { db }: Pick<Tools, 'db'>,
  group: string,
): Promise<readonly ShownSetting[] | null> {
  if (!settingGroups.some(({ id }) => id === group)) return null
  const settings = readSettings(await readSettingRows(db.kysely), 'left-out')
  return all.filter((setting) => setting.group === group).map((setting) => shown(setting, settings))
}

const defaults = shopSettings.parse({})

const shown = ({ read, write: _, ...setting }: ClassicSetting, settings: ShopSettings): ShownSetting => ({
  ...setting,
  value: read(settings),
  default: read(defaults),
})

export type ClassicChange =
  | { readonly ok: true; readonly value: ShownSetting }
  | { readonly ok: false; readonly reason: 'unknown' }
  | { readonly ok: false; readonly reason: 'invalid'; readonly problem: string }

/** Changes a setting by its classic name, with the validation of the `settings` command, and notifies all processes. */
export async function changeClassicSetting(
  tools: Pick<Tools, 'db' | 'pageSlugs'>,
  group: string,
  id: string,
  value: ClassicValue,
): Promise<ClassicChange> {
  const setting = all.find((one) => one.group === group && one.id === id)
  if (!setting) return { ok: false, reason: 'unknown' }
  const stored = readSettings(await readSettingRows(tools.db.kysely), 'left-out')
  const wanted = setting.write(value, stored)
  if (typeof wanted === 'string') return { ok: false, reason: 'invalid', problem: wanted }
  // A fact of the shop, confirmed.
  if (wanted.value === undefined) return { ok: true, value: shown(setting, stored) }
  // Where shipping was off, any other choice of places turns it on.
  if (wanted.key === 'shipTo' && !stored.shipping.enabled) {
    await changeStoredSetting(tools, 'shipping.enabled', () => true)
  }
  const changed = await changeStoredSetting(tools, wanted.key, (settings) => {
    // Decided again under the lock.
    const again = setting.write(value, settings)
    return typeof again === 'string' ? wanted.value : again.value
  })
  return changed.ok
    ? { ok: true, value: shown(setting, changed.settings) }
    : { ok: false, reason: 'invalid', problem: changed.problem }
}
