import { setTimeout as sleep } from 'node:timers/promises'
import { productsCommand } from '#cli/catalog/products.ts'
import { urls } from '#contract/shared/urls.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { saveTranslations } from '#shop/translation/save-translation.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aBenchShop } from './support/bench-shop.ts'
import { type Figure, median, report } from './support/report.ts'

/**
 * How long until what is changed shows at every process? Two processes that have the page at hand as it was; from the moment at which the
 * change is written to the first page of the slower one that has it. A price, a name, a translation and a setting, twenty times each.
 */
const times = 20
const patienceMs = 10_000
const environment = systemEnvironment(systemLog('error'))

await using shop = await aBenchShop()
const { db } = shop
await writeSettings(db, { languages: [{ tag: 'de-DE' }], storeNotice: { enabled: true, text: 'Notice 0.' } })
await shop.restart()
const processes = [shop.url, await shop.another()]
const [first] = await db.sql<{ slug: string; name: string }[]>`select slug, name from products where sku = 'B0'`
const { slug = '', name = '' } = first ?? {}
const product = `/product/${slug}/`
// The shop notes what can be translated once a page has shown it.
for (const url of processes) await (await fetch(`${url}/de${product}`)).text()

type Change = {
  readonly page: string
  readonly make: (nr: number) => Promise<unknown>
  readonly shows: (nr: number) => string
}

const price = (nr: number) => edit('B0', '--price', `${200 + nr}.35`, '--sale-price', '')

const changes: Readonly<Record<string, Change>> = {
  'a price, on its product': { page: product, make: price, shows: (nr) => `${200 + nr}.35` },
  'a price, on a listing': { page: '/shop/', make: (nr) => price(nr + times), shows: (nr) => `${200 + nr + times}.35` },
  'a name, on the category of its product': {
    page: urls.category('home/wool-throw'),
    make: (nr) => edit('B4', '--name', `Latecomer ${nr}.`),
    shows: (nr) => `Latecomer ${nr}.`,
  },
  'a translation, on a page of its language': {
    page: `/de${product}`,
    make: translated,
    shows: (nr) => `Steingutbecher ${nr}.`,
  },
  'a setting, on any page': {
    page: product,
    make: (nr) => writeSettings(db, { storeNotice: { enabled: true, text: `Notice ${nr}.` } }),
    shows: (nr) => `Notice ${nr}.`,
  },
}

const figures: Figure[] = []
for (const [what, change] of Object.entries(changes)) {
  const waits: number[] = []
  for (let nr = 1; nr <= times; nr += 1) waits.push(await waitFor(change, nr))
  figures.push(
    { what: `${what}: median`, value: median(waits), unit: 'ms' },
    { what: `${what}: the longest of ${times}`, value: Math.max(...waits), unit: 'ms', budget: { atMost: 1_000 } },
  )
}
report('changes', figures)

/** Milliseconds until the slower process shows it. @throws where one does not in ten seconds, or showed it before */
async function waitFor({ page, make, shows }: Change, nr: number): Promise<number> {
  for (const url of [...processes, ...processes]) {
    if ((await textOf(url + page)).includes(shows(nr)))
      throw new Error(`${page} had "${shows(nr)}" before it was changed`)
  }
  await make(nr)
  const changed = performance.now()
  await Promise.all(
    processes.map(async (url) => {
      while (!(await textOf(url + page)).includes(shows(nr))) {
        if (performance.now() - changed > patienceMs) throw new Error(`${url}${page} does not show "${shows(nr)}"`)
        await sleep(5)
      }
    }),
  )
  return performance.now() - changed
}

/** What is read on a page: prices are made of elements. */
async function textOf(address: string): Promise<string> {
  return (await (await fetch(address)).text()).replace(/<[^>]*>/g, '')
}

/** As the merchant's command does it. */
async function edit(...args: string[]): Promise<void> {
  const { code, err } = await runCommand(productsCommand, db, 'edit', ...args)
  if (code !== 0) throw new Error(err)
}

/** As a translator does it. */
async function translated(nr: number): Promise<void> {
  const [id] = await saveOriginalsForIds(db.kysely, [{ area: 'content', text: name, markup: false }], new Date())
  const change = {
    originalId: id ?? 0,
    language: 'de-DE',
    translated: `Steingutbecher ${nr}.`,
    status: 2 as const,
    revision: null,
    by: null,
  }
  const results = await saveTranslations({ ...environment, db, pageSlugs: () => new Set<string>() }, [change])
  if (!results.every(({ ok }) => ok)) throw new Error(`the translation was refused: ${JSON.stringify(results)}`)
}
