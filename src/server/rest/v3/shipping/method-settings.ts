import type { MethodKind, WrittenMethod } from '#contract/shipping/settings.ts'
import type { V3MethodSetting, V3ShippingMethod, V3ZoneMethodInput } from '#contract/shipping/v3-shipping.ts'
import { V3Error } from '../resource/v3-error.ts'

/** The kinds of methods, as the classic shop describes them. */
export const methodKinds: readonly (V3ShippingMethod & { readonly id: MethodKind })[] = [
  { id: 'flat_rate', title: 'Flat rate', description: 'Charges a fixed or computed rate.' },
  { id: 'free_shipping', title: 'Free shipping', description: 'Free, if its conditions are met.' },
  { id: 'local_pickup', title: 'Local pickup', description: 'Customers collect their orders.' },
]

type Field = Omit<V3MethodSetting, 'value' | 'tip' | 'placeholder'>

const titleField: Field = {
  id: 'title',
  label: 'Name',
  description: 'Name of the method at checkout.',
  type: 'text',
  default: '',
}
const taxField: Field = {
  id: 'tax_status',
  label: 'Tax status',
  description: '',
  type: 'select',
  default: 'taxable',
  options: { taxable: 'Taxable', none: 'None' },
}
const costField: Field = {
  id: 'cost',
  label: 'Cost',
  description: 'A number, or a formula with [qty] and [fee].',
  type: 'text',
  default: '',
}
const classPrefix = 'class_cost_'
/** Class of goods without one. */
const noClass = 'no_class_cost'

/** Returns the settings of a method under the classic names. Classes have their slugs as numbers. */
export function settingsOf(method: WrittenMethod): Record<string, V3MethodSetting> {
  const fields: [Field, string][] = [[titleField, method.title]]
  if (method.method === 'free_shipping') {
    fields.push(
      [
        {
          id: 'requires',
          label: 'Free shipping requires',
          description: '',
          type: 'select',
          default: '',
          options: {
            '': 'No requirement',
            coupon: 'A coupon for free shipping',
            min_amount: 'A minimum order amount',
            either: 'A minimum order amount or a coupon',
            both: 'A minimum order amount and a coupon',
          },
        },
        method.requires,
      ],
      [
        { id: 'min_amount', label: 'Minimum order amount', description: '', type: 'price', default: '0' },
        method.minimum,
      ],
      [
        {
          id: 'ignore_discounts',
          label: 'Coupon discounts',
          description: 'Compare the minimum with the price before discounts.',
          type: 'checkbox',
          default: 'no',
        },
        method.ignoreDiscounts ? 'yes' : 'no',
      ],
    )
  } else {
    fields.push([taxField, method.taxable ? 'taxable' : 'none'], [costField, method.cost])
  }
  if (method.method === 'flat_rate') {
    for (const [slug, cost] of Object.entries(method.classCosts)) {
      const id = slug === '' ? noClass : classPrefix + slug
      fields.push([{ ...costField, id, label: slug === '' ? 'Cost without a class' : `Cost of ${slug}` }, cost])
    }
    fields.push([
      {
        id: 'type',
        label: 'Calculation type',
        description: '',
        type: 'select',
        default: 'class',
        options: { class: 'Per class', order: 'Per order' },
      },
      method.classMode,
    ])
  }
  return Object.fromEntries(
    fields.map(([field, value]) => [field.id, { ...field, value, tip: field.description, placeholder: '' }]),
  )
}

/**
 * Converts written settings to members of a written method.
 * @throws V3Error naming the first unknown setting
 */
export function writtenSettings(
  kind: MethodKind,
  { settings = {}, enabled }: V3ZoneMethodInput,
  classCosts: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const written: Record<string, unknown> = enabled === undefined ? {} : { enabled }
  const costs = { ...classCosts }
  for (const [name, given] of Object.entries(settings)) {
    const text = String(given)
    if (name === 'title') written.title = text
    else if (kind !== 'free_shipping' && name === 'tax_status') written.taxable = text !== 'none'
    else if (kind !== 'free_shipping' && name === 'cost') written.cost = text
    else if (kind === 'free_shipping' && name === 'requires') written.requires = text
    else if (kind === 'free_shipping' && name === 'min_amount') written.minimum = text
    else if (kind === 'free_shipping' && name === 'ignore_discounts')
      written.ignoreDiscounts = text === 'yes' || text === 'true'
    else if (kind === 'flat_rate' && name === 'type') written.classMode = text
    else if (kind === 'flat_rate' && name === noClass) costs[''] = text
    else if (kind === 'flat_rate' && name.startsWith(classPrefix)) costs[name.slice(classPrefix.length)] = text
    else
      throw new V3Error(400, 'rest_invalid_param', 'Invalid parameter(s): settings', {
        settings: `"${name}" is unknown`,
      })
  }
  if (kind === 'flat_rate') {
    written.classCosts = Object.fromEntries(Object.entries(costs).filter(([, cost]) => cost !== ''))
  }
  return written
}
