import {
  type SourceAttribute,
  type SourceTerm,
  type SourceTreeTerm,
  sourceAttribute,
  sourceTerm,
  sourceTreeTerm,
} from '#contract/import/source/source-terms.ts'
import { plainName, plainSlug } from './cell-text.ts'
import { readSourceSettings, type SourceSettings } from './migrate-settings.ts'
import { byId, type MigrationRun, type ReadOptions, sourceRecords } from './migration-run.ts'

/** Lists of the other shop that several steps refer to: each is read once, when a step needs it. */
export type SourceFacts = {
  settings(): Promise<SourceSettings>
  categories(): Promise<readonly SourceTreeTerm[]>
  brands(): Promise<readonly SourceTreeTerm[]>
  tags(): Promise<readonly SourceTerm[]>
  shippingClasses(): Promise<readonly SourceTerm[]>
  /** Shop-wide attributes with their terms. */
  attributes(): Promise<readonly (SourceAttribute & { readonly terms: readonly SourceTerm[] })[]>
}

export function sourceFacts(run: MigrationRun): SourceFacts {
  const list = (kind: string, path: string): ReadOptions => ({ kind, path, query: byId })
  const plain = <Term extends { name: string; slug: string; description: string }>(terms: readonly Term[]) =>
    terms.map((term) => ({ ...term, name: plainName(term.name).slice(0, 200), slug: plainSlug(term.slug) }))
  return {
    settings: once(() => readSourceSettings(run)),
    categories: once(async () =>
      plain(await sourceRecords(run, list('categories', 'products/categories'), sourceTreeTerm)),
    ),
    brands: once(async () => plain(await sourceRecords(run, list('brands', 'products/brands'), sourceTreeTerm))),
    tags: once(async () => plain(await sourceRecords(run, list('tags', 'products/tags'), sourceTerm))),
    shippingClasses: once(async () =>
      plain(await sourceRecords(run, list('shipping classes', 'products/shipping_classes'), sourceTerm)),
    ),
    attributes: once(async () => {
      // The list of attributes has no order and no pages.
      const attributes = await sourceRecords(run, { kind: 'attributes', path: 'products/attributes' }, sourceAttribute)
      const found: (SourceAttribute & { terms: readonly SourceTerm[] })[] = []
      for (const attribute of attributes) {
        const path = `products/attributes/${attribute.id}/terms`
        const terms = plain(await sourceRecords(run, list('attribute terms', path), sourceTerm))
        found.push({
          ...attribute,
          name: plainName(attribute.name).slice(0, 200),
          slug: bareSlug(attribute.slug),
          terms,
        })
      }
      return found
    }),
  }
}

const bareSlug = (slug: string) => plainSlug(slug).replace(/^pa_/, '')

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => {
    value ??= read()
    return value
  }
}

/** Returns the path of each category from the top. A category whose ancestors form a circle starts at itself. */
export function categoryPaths(categories: readonly SourceTreeTerm[]): Map<number, readonly string[]> {
  const byId = new Map(categories.map((category) => [category.id, category]))
  return new Map(
    categories.map(({ id, name, parent }) => {
      const path = [name]
      const seen = new Set([id])
      for (let above = parent; above !== null && !seen.has(above); above = byId.get(above)?.parent ?? null) {
        const category = byId.get(above)
        if (!category) break
        seen.add(above)
        path.unshift(category.name)
      }
      return [id, path] as const
    }),
  )
}

/** Sorts terms of a tree so that each comes after the one above it. */
export function topDown(terms: readonly SourceTreeTerm[]): SourceTreeTerm[] {
  const byParent = Map.groupBy(terms, ({ parent }) => parent)
  const known = new Set(terms.map(({ id }) => id))
  const sorted: SourceTreeTerm[] = []
  const take = (parent: number | null) => {
    for (const term of byParent.get(parent) ?? []) {
      if (sorted.includes(term)) continue
      sorted.push(term)
      take(term.id)
    }
  }
  take(null)
  // A term below a missing one becomes a top one.
  for (const [parent] of byParent) if (parent !== null && !known.has(parent)) take(parent)
  return sorted
}
