import type { CategoryFacts, ImageFacts, ProductCardFacts } from '../catalog/catalog-facts.ts'

/** The language of a text that differs from the page around it. */
export type WrittenIn = { lang: string; dir: 'ltr' | 'rtl' }

export type LinkFacts = { text: string; url: string }

/** The shop's own sections; the page has their titles. */
export type ShelfName = 'featured' | 'newest' | 'sale' | 'popular' | 'rated'

/** A section of the front page, ready to be shown. A missing title is ''. */
export type HomeSectionFacts =
  | { kind: 'hero'; title: string; text: string; image: ImageFacts | null; link: LinkFacts | null }
  | { kind: 'categories'; title: string; categories: readonly CategoryFacts[] }
  | {
      kind: 'products'
      title: string
      /** Null: a category, a tag, or hand-picked. */
      shelf: ShelfName | null
      products: readonly ProductCardFacts[]
      link: LinkFacts | null
    }
  | {
      kind: 'picture'
      title: string
      html: string
      image: ImageFacts
      link: LinkFacts | null
      side: 'start' | 'end'
    }
  | { kind: 'text'; title: string; html: string; writtenIn?: WrittenIn | null }
  | { kind: 'quote'; text: string; by: string }
  | { kind: 'banner'; title: string; text: string; link: LinkFacts | null }

export type HomeFacts = { sections: readonly HomeSectionFacts[] }
