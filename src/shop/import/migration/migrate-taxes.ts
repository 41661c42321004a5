import { slugOf } from '#contract/import/product-csv-cells.ts'
import { type SourceTaxRate, sourceTaxClass, sourceTaxRate } from '#contract/import/source/source-rules.ts'
import { type TaxRateColumn, type TaxRateFields, taxRateOf } from '#contract/tax/tax-rates-csv.ts'
import { updateSettings } from '#database/operations/configuration.ts'
import { changedSetting } from '../../operations/settings/change-setting.ts'
import { readSettings } from '../../operations/settings/shop-configuration.ts'
import { placeKey, saveTaxRates, showTaxRates } from '../../tax/manage-tax-rates.ts'
import { type MigrationRun, sourceRecords, stopAtFaults } from './migration-run.ts'

/** Brings tax classes and rates. A rate of a place, class and priority that has one here stays as it is. */
export async function migrateTaxes(run: MigrationRun): Promise<void> {
  const classes = await addTaxClasses(run)
  const rates = await sourceRecords(
    run,
    { kind: 'tax rates', path: 'taxes', query: { orderby: 'order' } },
    sourceTaxRate,
  )
  const known = await run.known(
    'tax rates',
    rates.map(({ id }) => id),
  )
  run.report.known('tax rates', known.size)
  const here = new Map((await showTaxRates(run.tools())).map((rate) => [placeKey(rate), rate]))
  const fresh: { id: number; rate: TaxRateFields }[] = []
  for (const given of rates) {
    if (known.has(String(given.id))) continue
    const { rate, faults } = taxRateOf((column) => cells[column](given), classes)
    const [fault] = faults
    if (fault) {
      run.report.fault('tax rates', given.id, `${fault.column} ${JSON.stringify(fault.value)} ${fault.problem}`)
      continue
    }
    const same = here.get(placeKey(rate))
    if (!same) fresh.push({ id: given.id, rate })
    else {
      run.report.known('tax rates')
      if (same.ratePpm !== rate.ratePpm)
        run.report.differs('tax rates', given.id, `${rate.name} has another rate here, which stays`)
      await run.record('tax rates', [{ sourceId: String(given.id), ownId: same.id }])
    }
  }
  stopAtFaults(run)
  await saveTaxRates(
    run.tools(),
    fresh.map(({ rate }) => rate),
    'merge',
    { dryRun: run.options.dryRun },
  )
  await run.record(
    'tax rates',
    fresh.map(({ id }) => ({ sourceId: String(id), ownId: null })),
  )
  run.report.added('tax rates', fresh.length)
}

/** Adds the classes that are missing here. @returns all classes besides the standard one */
async function addTaxClasses(run: MigrationRun): Promise<readonly string[]> {
  const listed = await sourceRecords(run, { kind: 'tax classes', path: 'taxes/classes' }, sourceTaxClass)
  const slugs = listed
    .map(({ slug, name }) => slugOf(slug || name))
    .filter((slug) => slug !== '' && slug !== 'standard')
  const known = await run.known('tax classes', slugs)
  let all: readonly string[] = run.tools().settings.taxes.classes
  await updateSettings(run.tools().db, async (stored) => {
    const settings = readSettings(stored, 'left-out')
    const before = settings.taxes.classes
    const missing = [...new Set(slugs)].filter((slug) => !known.has(slug) && !before.includes(slug))
    run.report.known('tax classes', slugs.length - missing.length)
    run.report.added('tax classes', missing.length)
    all = [...before, ...missing]
    const changed = changedSetting(settings, 'taxes.classes', JSON.stringify(all))
    if (run.options.dryRun && changed.ok) {
      const { settings: shown } = run.tools()
      run.imagineSettings({ ...shown, taxes: { ...shown.taxes, classes: changed.settings.taxes.classes } })
    }
    return run.options.dryRun || missing.length === 0 || !changed.ok ? {} : { write: { [changed.name]: changed.value } }
  })
  await run.record(
    'tax classes',
    slugs.map((slug) => ({ sourceId: slug, ownId: null })),
  )
  await run.refreshSettings()
  return all
}

const cells: Readonly<Record<TaxRateColumn, (rate: SourceTaxRate) => string>> = {
  'Country code': ({ country }) => country,
  'State code': ({ state }) => state,
  'Postcode / ZIP': ({ postcodes, postcode }) => (postcodes.length > 0 ? postcodes.join(';') : postcode),
  City: ({ cities, city }) => (cities.length > 0 ? cities.join(';') : city),
  'Rate %': ({ rate }) => rate,
  'Tax name': ({ name }) => name,
  Priority: ({ priority }) => String(priority ?? 1),
  Compound: ({ compound }) => (compound ? '1' : '0'),
  Shipping: ({ shipping }) => (shipping ? '1' : '0'),
  'Tax class': (rate) => rate.class,
}
