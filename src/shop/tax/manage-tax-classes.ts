import { slugOf } from '#contract/import/product-csv-cells.ts'
import { readSettingRows } from '#database/operations/configuration.ts'
import { changeStoredSetting } from '../operations/settings/change-stored-setting.ts'
import { readSettings } from '../operations/settings/shop-configuration.ts'
import type { Tools } from '../shared/tools.ts'
import { removeTaxRatesOfClass } from './manage-tax-rates.ts'

type ClassTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'pageSlugs'>

/** Returns the slugs of the tax classes besides the standard one, as they are stored now. */
export async function readTaxClasses({ db }: Pick<Tools, 'db'>): Promise<readonly string[]> {
  return readSettings(await readSettingRows(db.kysely), 'left-out').taxes.classes
}

/** Adds a tax class. @returns its slug; null if it exists */
export async function addTaxClass(tools: ClassTools, name: string): Promise<string | null> {
  const slug = slugOf(name)
  let isTaken = false
  const changed = await changeStoredSetting(tools, 'taxes.classes', ({ taxes: { classes } }) => {
    isTaken = slug === '' || slug === 'standard' || classes.includes(slug)
    return isTaken ? classes : [...classes, slug]
  })
  if (!changed.ok) throw new Error(changed.problem)
  return isTaken ? null : slug
}

/** Deletes a tax class with its rates. Products of the class are taxed by the standard one. @returns whether it existed */
export async function removeTaxClass(tools: ClassTools, slug: string): Promise<boolean> {
  let existed = false
  const changed = await changeStoredSetting(tools, 'taxes.classes', ({ taxes: { classes } }) => {
    existed = classes.includes(slug)
    return classes.filter((one) => one !== slug)
  })
  if (!changed.ok) throw new Error(changed.problem)
  if (existed) await removeTaxRatesOfClass(tools, slug)
  return existed
}
