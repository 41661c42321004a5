import type { Kysely } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { readSettingRows } from '#database/operations/configuration.ts'
import { isCatalogSlug, lockSlugs, slugOwners } from '#database/translation/write-translations.ts'
import { readSettings } from '../operations/settings/shop-configuration.ts'
import { type LocalizedSlug, languagePaths, type SlugProblem, slugProblem } from './slug-problem.ts'
import type { SlugKind } from './translator.ts'

/** The new slug of a language; '' deletes it. */
export type SlugChange = {
  readonly language: string
  readonly kind: string
  readonly own: string
  readonly translated: string
}

export type SlugCheck = {
  problem(change: SlugChange): Promise<SlugProblem | null>
  /** Adds a change that is written later in the same transaction. */
  add(change: SlugChange): void
}

/**
 * Creates a check of new slugs against all others of their language. Other writers wait until the transaction ends.
 * @param pages slugs of the static pages
 */
export async function openSlugCheck(tx: Kysely<Schema>, pages: ReadonlySet<string>): Promise<SlugCheck> {
  await lockSlugs(tx)
  const languages = languagePaths(readSettings(await readSettingRows(tx), 'left-out'))
  const added = new Map<string, SlugChange>()
  const keyOf = ({ language, kind, own }: Omit<SlugChange, 'translated'>) => JSON.stringify([language, kind, own])
  return {
    async problem(change) {
      const { language, translated } = change
      const slug: LocalizedSlug = { ...change, kind: change.kind as SlugKind } // kinds of slugs are all that is stored
      const kinds = slug.kind === 'base' || slug.kind === 'page' ? ['base', 'page'] : [slug.kind]
      const stored = (await slugOwners(tx, language, translated, kinds)).filter(
        (owner) => !added.has(keyOf({ language, ...owner })),
      )
      const pending = [...added.values()].filter((one) => one.language === language && one.translated === translated)
      const owners = [...stored, ...pending]
      const others = (kind: SlugKind) =>
        owners.flatMap((owner) =>
          owner.kind === kind && !(kind === slug.kind && owner.own === slug.own) ? [owner.own] : [],
        )
      const found = slugProblem(slug, { languages, pages, others })
      if (found || translated === slug.own) return found
      return (await isCatalogSlug(tx, slug.kind, translated)) ? 'taken' : null
    },
    add(change) {
      added.set(keyOf(change), change)
    },
  }
}
