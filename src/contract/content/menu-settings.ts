import { z } from 'zod'

/** A menu entry: a category, a page of the content folder, or a URL. */
export type MenuItem = {
  /** Slug of a category. */
  category?: string | undefined
  /** Slug of a page of the content folder. */
  page?: string | undefined
  url?: string | undefined
  /** The text; default: the name of the category or page. */
  text?: string | undefined
  children?: readonly MenuItem[] | undefined
}

/** A merchant's URL: a path of the shop, or another site. Never one that runs as code. */
export const ownAddress = z
  .string()
  .max(2000)
  .regex(/^(\/(?![/\\])|https:\/\/|mailto:|tel:)[^\s<>"]*$/, 'must begin with /, https://, mailto: or tel:')

export const menuItem: z.ZodType<MenuItem> = z.strictObject({
  category: z.string().min(1).optional(),
  page: z.string().min(1).optional(),
  url: ownAddress.optional(),
  text: z.string().trim().min(1).max(100).optional(),
  get children() {
    return z.array(menuItem).optional()
  },
})

/** null: the shop creates the menu itself, from its categories and pages. */
export const menuSettings = z.object({
  main: z.array(menuItem).nullable().default(null),
  footer: z
    .array(z.strictObject({ title: z.string().trim().min(1).max(100), items: z.array(menuItem) }))
    .nullable()
    .default(null),
})
