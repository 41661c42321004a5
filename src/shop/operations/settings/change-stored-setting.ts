import type { ShopSettings } from '#contract/shared/settings.ts'
import { updateSettings } from '#database/operations/configuration.ts'
import type { Tools } from '../../shared/tools.ts'
import { type ChangedSetting, changedSetting } from './change-setting.ts'
import { readSettings } from './shop-configuration.ts'

/**
 * Changes a setting that names no files, and notifies all processes.
 * @param key with dots for members: `taxes.classes`
 * @param value returns the new value by the stored settings
 * @returns the resulting settings, or why the value was refused
 */
export async function changeStoredSetting(
  { db, pageSlugs }: Pick<Tools, 'db' | 'pageSlugs'>,
  key: string,
  value: (settings: ShopSettings) => unknown,
): Promise<ChangedSetting> {
  const { changed } = await updateSettings(db, (stored) => {
    const settings = readSettings(stored, 'left-out')
    const changed = changedSetting(settings, key, JSON.stringify(value(settings)), pageSlugs())
    return changed.ok ? { changed, write: { [changed.name]: changed.value } } : { changed }
  })
  return changed
}
