import { urls } from '#contract/shared/urls.ts'
import type { CategoryRow } from '#database/catalog/index-rows.ts'
import type { CategoryFacts, TermFacts } from './catalog-facts.ts'

/** A category with the number of products in it or below it. */
export type CountedCategory = CategoryRow & { readonly count: number }

/** The categories as a tree. */
export type CatalogTree = {
  readonly all: readonly CountedCategory[]
  /** Top categories, in their order. */
  readonly top: readonly CountedCategory[]
  category(id: number): CountedCategory | undefined
  bySlug(slug: string): CountedCategory | undefined
  /** Finds a category by its URL path: the slugs from the top, joined by slashes. */
  byPath(path: string): CountedCategory | undefined
  children(id: number): readonly CountedCategory[]
  /** From the top category to this one, itself included. */
  line(id: number): readonly CountedCategory[]
}

export function treeOf(categories: readonly CountedCategory[]): CatalogTree {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const bySlug = new Map(categories.map((category) => [category.slug, category]))
  const children = Map.groupBy(categories, ({ parentId }) => parentId)
  const line = (id: number): readonly CountedCategory[] => lineOf(byId, id)
  const slugs = (id: number) => line(id).map(({ slug }) => slug)
  const paths = new Map(categories.map((category) => [slugs(category.id).join('/'), category]))
  return {
    all: categories,
    top: children.get(null) ?? [],
    category: (id) => byId.get(id),
    bySlug: (slug) => bySlug.get(slug),
    byPath: (path) => paths.get(path),
    children: (id) => children.get(id) ?? [],
    line,
  }
}

/** Returns the path from the top category to this one, itself included. */
export function lineOf<Category extends CategoryRow>(byId: ReadonlyMap<number, Category>, id: number): Category[] {
  const category = byId.get(id)
  if (!category) return []
  return category.parentId === null ? [category] : [...lineOf(byId, category.parentId), category]
}

export function categoryTerm(tree: CatalogTree, { id, name, slug }: CategoryRow): TermFacts {
  const path = tree.line(id).map((category) => encodeURIComponent(category.slug))
  return { name, slug, url: urls.category(path.join('/')) }
}

export function categoryFacts(tree: CatalogTree, category: CountedCategory): CategoryFacts {
  const { id, parentId, description, count, image } = category
  return { ...categoryTerm(tree, category), id, parentId, description, productCount: count, image }
}
