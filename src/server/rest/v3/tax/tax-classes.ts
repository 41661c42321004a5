import { z } from 'zod'
import { flag, recordShape } from '#contract/shared/rest-input.ts'
import { urls } from '#contract/shared/urls.ts'
import { v3TaxClass, v3TaxClassInput } from '#contract/tax/v3-taxes.ts'
import { addTaxClass, readTaxClasses, removeTaxClass } from '#shop/tax/manage-tax-classes.ts'
import { linkedRecord } from '../resource/linked-record.ts'
import { type V3Context, v3Call } from '../resource/v3-call.ts'
import { V3Error } from '../resource/v3-error.ts'
import { requireForce } from '../resource/v3-resource.ts'
import { onlyFields } from '../response-fields.ts'

const standard = { slug: 'standard', name: 'Standard rate' }

/** The shop stores slugs alone: `reduced-rate` is shown as Reduced rate. */
const classRecord = (slug: string) => {
  const words = slug.replaceAll('-', ' ')
  return { slug, name: `${words.charAt(0).toUpperCase()}${words.slice(1)}` }
}

const linked = (record: { slug: string; name: string }, { tools }: V3Context) => ({
  ...record,
  _links: { collection: [{ href: `${tools.publicUrl}${urls.rest('wc/v3/taxes/classes')}` }] },
})

const shared = { tag: 'taxes/classes' } as const

/** `wc/v3/taxes/classes`: standard first. A class has no page of its own. */
export const v3TaxClassCalls = [
  v3Call({
    ...shared,
    name: 'taxes/classes',
    method: 'GET',
    summary: 'List the tax classes',
    input: z.looseObject(recordShape),
    output: z.array(linkedRecord(v3TaxClass)),
    async answer(context, { _fields: fields }) {
      const records = [standard, ...(await readTaxClasses(context.tools)).map(classRecord)]
      return Response.json(records.map((record) => onlyFields(linked(record, context), fields)))
    },
  }),
  v3Call({
    ...shared,
    name: 'taxes/classes',
    method: 'POST',
    summary: 'Create a tax class',
    input: v3TaxClassInput,
    output: linkedRecord(v3TaxClass),
    status: 201,
    async answer(context, { name }) {
      const slug = await addTaxClass(context.tools, name)
      if (slug === null) {
        throw new V3Error(400, 'woocommerce_rest_tax_class_exists', 'Cannot create existing resource.')
      }
      const headers = {
        Location: `${context.tools.publicUrl}${urls.rest(`wc/v3/taxes/classes/${encodeURIComponent(slug)}`)}`,
      }
      return Response.json(linked(classRecord(slug), context), { status: 201, headers })
    },
  }),
  v3Call({
    ...shared,
    name: 'taxes/classes/:slug',
    texts: ['slug'],
    method: 'DELETE',
    summary: 'Delete a tax class with its rates',
    input: z.looseObject({ force: flag.default(false) }),
    output: linkedRecord(v3TaxClass),
    async answer(context, { force }) {
      requireForce(false, force)
      const { slug = '' } = context.path
      if (!(await removeTaxClass(context.tools, slug))) {
        throw new V3Error(404, 'woocommerce_rest_tax_class_invalid_slug', 'Invalid slug.')
      }
      return Response.json(linked(classRecord(slug), context))
    },
  }),
]
