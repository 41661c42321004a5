import type { Kysely } from 'kysely'
import { slugOf } from '#contract/import/product-csv-cells.ts'
import type { Database } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import {
  attributeSlugsByName,
  ensureAttribute,
  ensureAttributeTerms,
  ensureTags,
  ensureTreeTerm,
  type TreeKind,
  takenAttributeSlugs,
} from '#database/import/ensure-terms.ts'
import { nameSlug } from '#domain/catalog/name-slug.ts'

type Tx = Kysely<Schema>
type Path = readonly string[]

/**
 * Finds or creates categories, brands, tags and attribute terms by name, and caches them between batches. A rollback deletes
 * created terms: clear the cache, and find them again.
 * @param language of the names
 */
export function termFinder(language: string) {
  const trees = { categories: new Map<string, number>(), brands: new Map<string, number>() }
  const tags = new Map<string, number>()
  const attributes = new Map<string, { id: number; terms: Map<string, string> }>()
  // No name contains NUL: a file with one is rejected.
  const pathKey = (path: Path) => path.join('\0')

  const wantedSlug = (name: string) => nameSlug(name, language)

  return {
    /** Returns the preferred slug of a new term. */
    wantedSlug,

    async findPaths(tx: Tx, kind: TreeKind, paths: readonly Path[]) {
      const known = trees[kind]
      for (const path of paths) {
        for (let depth = 1; depth <= path.length; depth += 1) {
          const key = pathKey(path.slice(0, depth))
          if (known.has(key)) continue
          const parentId = depth === 1 ? null : (known.get(pathKey(path.slice(0, depth - 1))) ?? null)
          const name = path[depth - 1] ?? ''
          known.set(key, await ensureTreeTerm(tx, kind, { parentId, name, slug: wantedSlug(name) }))
        }
      }
    },
    /** Returns the id of the last term of a path; undefined before it was found. */
    idOfPath: (kind: TreeKind, path: Path) => trees[kind].get(pathKey(path)),

    async findTags(tx: Tx, names: readonly string[]) {
      const missing = [...new Set(names)].filter((name) => !tags.has(name))
      if (missing.length === 0) return
      for (const [name, id] of await ensureTags(
        tx,
        missing.map((name) => ({ name, slug: wantedSlug(name) })),
      ))
        tags.set(name, id)
    },
    tagId: (name: string) => tags.get(name),

    /** @param slug with the prefix pa_ */
    async findTerms(tx: Tx, slug: string, name: string, values: readonly string[]) {
      let attribute = attributes.get(slug)
      if (!attribute) {
        attribute = { id: await ensureAttribute(tx, name, slug.replace(/^pa_/, '')), terms: new Map() }
        attributes.set(slug, attribute)
      }
      const { terms } = attribute
      const missing = values.filter((value) => !terms.has(value.toLowerCase()))
      if (missing.length === 0) return
      const made = await ensureAttributeTerms(
        tx,
        attribute.id,
        missing.map((value) => ({ name: value, slug: wantedSlug(value) })),
      )
      for (const [term, termSlug] of made) terms.set(term, termSlug)
    },
    attributeId: (slug: string) => attributes.get(slug)?.id ?? null,
    termSlug: (slug: string, value: string) => attributes.get(slug)?.terms.get(value.toLowerCase()) ?? value,

    forget() {
      trees.categories.clear()
      trees.brands.clear()
      tags.clear()
      attributes.clear()
    },
  }
}

export type TermFinder = ReturnType<typeof termFinder>

/** Returns the slugs of attributes by name: an existing one stays, whatever the rule for new ones. */
export async function attributeSlugs(sql: Database['sql'], language: string): Promise<(name: string) => string> {
  const [taken, byName] = [await takenAttributeSlugs(sql), await attributeSlugsByName(sql)]
  return (name) => {
    const key = slugOf(name).slice(0, 100)
    return taken.has(key) ? key : (byName.get(name.toLowerCase()) ?? nameSlug(name, language))
  }
}
