import { z } from 'zod'
import { namedFile, pictureEndings } from '../shared/file-setting.ts'
import { ownAddress } from './menu-settings.ts'

const title = z.string().trim().max(200).default('')
const words = z.string().trim().max(2000)
const link = z.strictObject({ text: z.string().trim().min(1).max(100), url: ownAddress })
const slug = z.string().trim().min(1)
const picture = namedFile(pictureEndings)
const alt = z.string().trim().max(300).default('').describe('alternative text of the picture; empty: decoration')

const hero = z.strictObject({
  kind: z.literal('hero'),
  title: title.describe('default: the name of the shop'),
  text: words.default(''),
  image: picture.optional(),
  alt,
  link: link.optional().describe('default: all products'),
})

const categories = z.strictObject({
  kind: z.literal('categories'),
  title,
  categories: z.array(slug).optional().describe('slugs in display order; default: all top categories'),
})

const products = z
  .strictObject({
    kind: z.literal('products'),
    title,
    from: z.enum(['featured', 'newest', 'sale', 'popular', 'rated']).optional(),
    category: slug.optional(),
    tag: slug.optional(),
    skus: z.array(slug).min(1).max(24).optional().describe('hand-picked products, in this order'),
    count: z.number().int().min(1).max(24).default(8),
    link: link.optional(),
  })
  .refine(
    ({ from, category, tag, skus }) => [from, category, tag, skus].filter((one) => one !== undefined).length === 1,
    'needs one of from, category, tag and skus',
  )

const pictureWithWords = z.strictObject({
  kind: z.literal('picture'),
  image: picture,
  alt,
  title,
  text: words.default('').describe('Markdown'),
  link: link.optional(),
  side: z.enum(['start', 'end']).default('start').describe('side of the picture on wide screens'),
})

const text = z
  .strictObject({
    kind: z.literal('text'),
    title,
    page: slug.optional().describe('a page of the content folder'),
    markdown: z.string().trim().max(20_000).optional(),
  })
  .refine(({ page, markdown }) => (page === undefined) !== (markdown === undefined), 'needs a page or markdown')

const quote = z.strictObject({
  kind: z.literal('quote'),
  text: words.min(1),
  by: z.string().trim().max(100).default(''),
})

const banner = z.strictObject({
  kind: z.literal('banner'),
  title: z.string().trim().min(1).max(200),
  text: words.default(''),
  link: link.optional(),
})

export const homeSection = z.discriminatedUnion('kind', [
  hero,
  categories,
  products,
  pictureWithWords,
  text,
  quote,
  banner,
])

export type HomeSection = z.output<typeof homeSection>

/** The default front page. */
export const usualHome: readonly HomeSection[] = [
  { kind: 'hero' },
  { kind: 'categories' },
  { kind: 'products', from: 'featured' },
  { kind: 'products', from: 'newest' },
  { kind: 'products', from: 'sale' },
].map((section) => homeSection.parse(section))

export const homeSettings = z.object({
  sections: z.array(homeSection).max(30).nullable().default(null).describe('in display order'),
})
