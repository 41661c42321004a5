import type { CategoryFacts, ImageFacts, ProductCardFacts } from '../catalog/catalog-facts.ts'

/** The language of a text that is in another one than the page around it. */
export type WrittenIn = { lang: string; dir: 'ltr' | 'rtl' }

export type LinkFacts = { text: string; url: string }

/** Which of the shop's own shelves it is: the page knows what to call them. */
export type ShelfName = 'featured' | 'newest' | 'sale' | 'popular' | 'rated'

/** A part of the front page, ready to be shown. Titles that the merchant left out are ''. */
export type HomeSectionFacts =
  | { kind: 'hero'; title: string; text: string; image: ImageFacts | null; link: LinkFacts | null }
  | { kind: 'categories'; title: string; categories: readonly CategoryFacts[] }
  | {
      kind: 'products'
      title: string
      /** Null: a category, a tag, or chosen by hand. */
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
