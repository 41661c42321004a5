import { join } from 'node:path'
import type { SourceTreeTerm } from '#contract/import/source/source-terms.ts'
import { createAttribute, createAttributeTerm } from '../../catalog/manage-attributes.ts'
import { createTerm } from '../../catalog/manage-terms.ts'
import { takeImage } from '../../content/image-sizes.ts'
import { SourceProblem } from '../../shared/source-problem.ts'
import { remoteImage } from '../fetch-remote-file.ts'
import { type MigrationRun, stopAtFaults } from './migration-run.ts'
import { type SourceFacts, topDown } from './source-facts.ts'

type Kind = 'categories' | 'brands' | 'tags' | 'shipping classes' | 'attributes' | 'attribute terms'

/** The result of a use case that creates a term. */
type Created =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly reason: string; readonly id?: number }

/**
 * Brings categories, brands, tags, shipping classes, and attributes with their terms. One that is here by its name stays
 * as it is.
 */
export async function migrateTerms(run: MigrationRun, facts: SourceFacts): Promise<void> {
  await bringTree(run, 'categories', await facts.categories())
  await bringTree(run, 'brands', await facts.brands())
  await bring(run, 'tags', await facts.tags(), async (tag) =>
    created(await createTerm(run.tools(), 'tags', termInput(tag))),
  )
  await bring(run, 'shipping classes', await facts.shippingClasses(), async (one) =>
    created(await createTerm(run.tools(), 'shipping_classes', termInput(one))),
  )
  await bringAttributes(run, facts)
  stopAtFaults(run)
}

/** Brings the records that did not come before. @param create a use case; a term of this name counts as created */
async function bring<Term extends { readonly id: number }>(
  run: MigrationRun,
  kind: Kind,
  terms: readonly Term[],
  create: (term: Term) => Promise<Created>,
): Promise<void> {
  const known = await run.known(
    kind,
    terms.map(({ id }) => id),
  )
  for (const [index, term] of terms.entries()) {
    run.progress({ kind, done: index + 1, of: terms.length })
    const sourceId = String(term.id)
    if (known.has(sourceId)) run.report.known(kind)
    else if (run.options.dryRun) {
      // Any number other than null: products and coupons may refer to the term.
      await run.record(kind, [{ sourceId, ownId: term.id }])
      run.report.added(kind)
    } else {
      const result = await create(term)
      if (result.id === undefined) run.report.fault(kind, term.id, result.ok ? '' : result.reason)
      else {
        await run.record(kind, [{ sourceId, ownId: result.id }])
        if (result.ok) run.report.added(kind)
        else run.report.known(kind)
      }
    }
  }
}

/** Returns the ID of a created term, or of the one that is here. */
function created(
  result:
    | { readonly ok: true; readonly term: { readonly id: number } }
    | { readonly ok: false; readonly reason: string; readonly id?: number },
): Created {
  if (result.ok) return { ok: true, id: result.term.id }
  return result.reason === 'exists' ? result : { ok: false, reason: result.reason }
}

function termInput(term: { readonly name: string; readonly slug: string; readonly description: string }) {
  const { name, slug, description } = term
  return { name, slug, description }
}

async function bringTree(
  run: MigrationRun,
  kind: 'categories' | 'brands',
  terms: readonly SourceTreeTerm[],
): Promise<void> {
  await bring(run, kind, topDown(terms), async (term) => {
    const above = term.parent === null ? null : await run.known(kind, [term.parent])
    const parent = above?.get(String(term.parent)) ?? 0
    const imageId = await pictureOf(run, kind, term)
    const position = term.menu_order ?? 0
    return created(await createTerm(run.tools(), kind, { ...termInput(term), parent, position, imageId }))
  })
}

/** Fetches the picture of a category. One that cannot be fetched becomes a difference. */
async function pictureOf(run: MigrationRun, kind: Kind, { id, name, image }: SourceTreeTerm): Promise<number | null> {
  if (image === null) return null
  const { location } = run.source
  const { network } = run.tools()
  try {
    if (!URL.canParse(image)) throw new SourceProblem('is not an address')
    const trusted = location.loopback ? location.origin : undefined
    const bytes = await remoteImage(network, run.options.lookup, image, trusted)
    return await takeImage(run.tools(), join(run.options.dataDir, 'media'), bytes, { source: image, alt: name })
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error
    run.report.differs(kind, id, `the picture ${image.slice(0, 300)} ${error.message}`)
    return null
  }
}

const sortOrders = ['menu_order', 'name', 'name_num', 'id'] as const

async function bringAttributes(run: MigrationRun, facts: SourceFacts): Promise<void> {
  const attributes = await facts.attributes()
  await bring(run, 'attributes', attributes, async ({ name, slug, order_by: order }) => {
    const sortOrder = sortOrders.find((one) => one === order)
    const result = await createAttribute(run.tools(), { name, slug, sortOrder })
    return created(result.ok ? { ok: true, term: result.attribute } : result)
  })
  const own = await run.known(
    'attributes',
    attributes.map(({ id }) => id),
  )
  for (const { id, terms } of attributes) {
    const attribute = own.get(String(id)) ?? null
    if (attribute === null) continue
    await bring(run, 'attribute terms', terms, async (term) => {
      const position = term.menu_order ?? 0
      return created(await createAttributeTerm(run.tools(), attribute, { ...termInput(term), position }))
    })
  }
}
