import type { Checked } from '#contract/shared/merchant-rules.ts'
import { methodKinds, methodMembers, type WrittenMethod } from '#contract/shipping/settings.ts'
import {
  addMethod,
  addZone,
  editMethod,
  editZone,
  moveMethod,
  moveZone,
  removeMethod,
  removeZone,
  type ShownZone,
  showZones,
} from '#shop/shipping/manage-shipping-zones.ts'
import type { CommandContext } from '../shared/command.ts'
import {
  commandGroup,
  type Given,
  jsonOption,
  listGiven,
  type Options,
  printFaults,
  type SubCommand,
  textGiven,
} from '../shared/command-group.ts'
import { counted, fail, rejectUsage, unknownChoice } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'

const places = {
  countries: { type: 'string', multiple: true, value: '<code>', what: 'DE, or US:CA for one state' },
  continents: { type: 'string', multiple: true, value: '<code>', what: 'AF, AN, AS, EU, NA, OC, SA' },
  postcodes: { type: 'string', multiple: true, value: '<rule>', what: '94110, CB23* or 94102...94134' },
} as const satisfies Options

const methodOptions = {
  title: { type: 'string', value: '<text>', what: 'the name that customers see' },
  cost: {
    type: 'string',
    value: '<formula>',
    what: '4.95, "10 + [qty] * 2", \'[fee percent="10" min_fee="4"]\'; also [cost] and [weight]',
  },
  'class-cost': {
    type: 'string',
    multiple: true,
    value: '<class>=<formula>',
    what: 'an additional cost for products of a shipping class',
  },
  'no-class-cost': { type: 'string', value: '<formula>', what: 'an additional cost for products without a class' },
  'class-mode': { type: 'string', value: 'class|order', what: 'charges every class, or only the most expensive one' },
  'tax-status': { type: 'string', value: 'taxable|none', what: 'whether tax is charged' },
  requires: {
    type: 'string',
    value: '<what>',
    what: 'free shipping: coupon, min_amount, either or both; "" for nothing',
  },
  minimum: { type: 'string', value: '<amount>', what: 'free shipping: the least value of the cart' },
  'ignore-discounts': { type: 'boolean', what: 'free shipping: compares the value before discounts' },
  'no-ignore-discounts': { type: 'boolean', what: 'free shipping: compares the value after discounts' },
  disable: { type: 'boolean', what: 'stops offering the method' },
  enable: { type: 'boolean', what: 'offers the method again' },
  ...jsonOption,
} as const satisfies Options

const position = {
  position: { type: 'string', value: '<number>', what: '1 is the first; the end unless given' },
} as const satisfies Options

const optionOf: Readonly<Record<string, string>> = {
  name: '--name',
  countries: '--countries',
  continents: '--continents',
  postcodes: '--postcodes',
  fallback: '--fallback',
  method: 'the method',
  title: '--title',
  cost: '--cost',
  "classCosts.''": '--no-class-cost',
  classCosts: '--class-cost',
  classMode: '--class-mode',
  requires: '--requires',
  minimum: '--minimum',
  ignoreDiscounts: '--ignore-discounts',
}

export const shippingZonesCommand = commandGroup('shipping-zones', {
  list: {
    usage: '[--json]',
    summary: 'Lists all zones in the order of matching, with their methods.',
    example: '',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, context) {
      const zones = await showZones(context)
      if (json) context.print(JSON.stringify(zones))
      else if (zones.length === 0)
        context.say('There are no shipping zones yet. Add one: shipping-zones add "Germany" --countries DE')
      else for (const zone of zones) print(zone, false, context)
      return 0
    },
  },

  show: {
    usage: '<zone> [--json]',
    summary: 'Shows one zone by its number.',
    example: '1',
    options: jsonOption,
    words: [1, 1],
    async run([text = ''], { json }, context) {
      const zone = (await showZones(context)).find(({ id }) => id === numberOf(text))
      if (!zone) return unknownZone(text, context)
      print(zone, json === true, context)
      return 0
    },
  },

  add: {
    usage: '<name> [--countries DE,AT] [options]',
    summary: 'Adds a zone. The first zone that covers an address applies.',
    example: '"Germany" --countries DE',
    options: {
      ...places,
      fallback: { type: 'boolean', what: 'covers the addresses that no other zone covers' },
      ...position,
      ...jsonOption,
    },
    words: [1, 1],
    run: ([name = ''], given, context) =>
      placed(given, context, (place) =>
        addZone(context, { name, ...zoneMembers(given), ...(given.fallback ? { fallback: true } : {}) }, place),
      ),
  },

  edit: {
    usage: '<zone> [--name <name>] [options]',
    summary: 'Changes the given values of a zone; "" empties a list.',
    example: '1 --countries DE,AT',
    options: { name: { type: 'string', value: '<text>', what: 'the name, for staff only' }, ...places, ...jsonOption },
    words: [1, 1],
    async run([text = ''], given, context) {
      const id = numberOf(text)
      if (id === null) return unknownZone(text, context)
      const name = textGiven(given.name)
      return printSaved(
        await editZone(context, id, { ...(name === undefined ? {} : { name }), ...zoneMembers(given) }),
        given,
        context,
      )
    },
  },

  remove: {
    usage: '<zone>',
    summary: 'Removes a zone with its methods.',
    example: '1',
    options: {},
    words: [1, 1],
    async run([text = ''], _, context) {
      const id = numberOf(text)
      const gone = id === null ? null : await removeZone(context, id)
      if (!gone) return unknownZone(text, context)
      context.say(`Removed zone ${gone.id} "${gone.name}" with ${counted(gone.methods.length, 'method')}.`)
      return 0
    },
  },

  move: {
    usage: '<zone> <position>',
    summary: 'Changes the position of a zone in the order of matching: 1 is the first.',
    example: '2 1',
    options: jsonOption,
    words: [2, 2],
    run: move((context, id, place) => moveZone(context, id, place)),
  },

  'add-method': {
    usage: `<zone> ${methodKinds.join('|')} [options]`,
    summary: 'Adds a shipping method to a zone.',
    example: '1 flat_rate --title Standard --cost 4.95',
    options: { ...methodOptions, ...position },
    words: [2, 2],
    async run([text = '', method = ''], given, context) {
      const zone = numberOf(text)
      if (zone === null) return unknownZone(text, context)
      const kind = methodKinds.find((known) => known === method)
      if (!kind) return rejectUsage(context, unknownChoice('shipping method', method, methodKinds))
      const members = methodChanges(given, kind, {})
      if (!members.ok) return printFaults(context, members.faults, optionOf, given)
      return placed(given, context, (place) => addMethod(context, zone, { method, ...members.value }, place))
    },
  },

  'edit-method': {
    usage: '<method> [options]',
    summary: 'Changes the given values of a method, by the number that "shipping-zones list" shows.',
    example: '3 --cost 5.95',
    options: methodOptions,
    words: [1, 1],
    async run([text = ''], given, context) {
      const method = (await showZones(context))
        .flatMap(({ methods }) => methods)
        .find((one) => one.instanceId === numberOf(text))
      if (!method) return unknownMethod(text, context)
      const before = method.method === 'flat_rate' ? method.classCosts : {}
      const members = methodChanges(given, method.method, before)
      if (!members.ok) return printFaults(context, members.faults, optionOf, given)
      return printSaved(await editMethod(context, method.instanceId, members.value), given, context)
    },
  },

  'remove-method': {
    usage: '<method>',
    summary: 'Removes a method by the number that "shipping-zones list" shows.',
    example: '3',
    options: {},
    words: [1, 1],
    async run([text = ''], given, context) {
      const id = numberOf(text)
      return id === null ? unknownMethod(text, context) : printSaved(await removeMethod(context, id), given, context)
    },
  },

  'move-method': {
    usage: '<method> <position>',
    summary: 'Changes the position of a method in the checkout: 1 is the first.',
    example: '3 1',
    options: jsonOption,
    words: [2, 2],
    run: move((context, id, place) => moveMethod(context, id, place)),
  },
})

function zoneMembers(given: Given): Record<string, unknown> {
  // Files and forms of WooCommerce separate postcodes by semicolons.
  const rules = listGiven(given.postcodes)?.flatMap((rule) => rule.split(';').map((part) => part.trim()))
  const members = {
    countries: listGiven(given.countries),
    continents: listGiven(given.continents),
    postcodes: rules?.filter((rule) => rule !== ''),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** The members of a method that the options change. Options that its kind does not have are rejected. */
function methodChanges(
  given: Given,
  kind: WrittenMethod['method'],
  classCostsBefore: Readonly<Record<string, string>>,
): Checked<Record<string, unknown>> {
  const classes: Record<string, string> = {}
  for (const text of Array.isArray(given['class-cost']) ? given['class-cost'] : []) {
    const at = text.indexOf('=')
    if (at < 1)
      return {
        ok: false,
        faults: [{ key: 'classCosts', problem: `"${text}" has no class and cost. Example: --class-cost bulky=4.50` }],
      }
    classes[text.slice(0, at).trim()] = text.slice(at + 1).trim()
  }
  if (textGiven(given['no-class-cost']) !== undefined) classes[''] = textGiven(given['no-class-cost']) ?? ''
  const status = textGiven(given['tax-status'])
  if (status !== undefined && status !== 'taxable' && status !== 'none')
    return {
      ok: false,
      faults: [{ key: '--tax-status', problem: `"${status}" is unknown. Choose one of: taxable, none.` }],
    }
  const wanted: Record<string, unknown> = {
    title: given.title,
    cost: given.cost,
    // An empty cost removes the class.
    classCosts:
      Object.keys(classes).length === 0
        ? undefined
        : Object.fromEntries(Object.entries({ ...classCostsBefore, ...classes }).filter(([, cost]) => cost !== '')),
    classMode: given['class-mode'],
    taxable: status === undefined ? undefined : status === 'taxable',
    requires: given.requires,
    minimum: given.minimum,
    ignoreDiscounts: given['ignore-discounts'] ? true : given['no-ignore-discounts'] ? false : undefined,
    enabled: given.disable ? false : given.enable ? true : undefined,
  }
  const members = Object.entries(wanted).filter(([, value]) => value !== undefined)
  const strangers = members.filter(([member]) => !methodMembers[kind].includes(member))
  if (strangers.length > 0)
    return {
      ok: false,
      faults: strangers.map(([member]) => ({
        key: member === 'taxable' ? '--tax-status' : member,
        problem: `does not apply to ${kind}. Leave it out.`,
      })),
    }
  return { ok: true, value: Object.fromEntries(members) }
}

function move(
  work: (context: CommandContext, id: number, place: number) => Promise<Checked<ShownZone>>,
): SubCommand['run'] {
  return async ([what = '', where = ''], given, context) => {
    const [id, place] = [numberOf(what), numberOf(where)]
    if (id === null || place === null || place < 1) {
      return rejectUsage(
        context,
        `"${what} ${where}" is not a number and a position from 1 on. List numbers: shipping-zones list`,
      )
    }
    return printSaved(await work(context, id, place), given, context)
  }
}

async function placed(
  given: Given,
  context: CommandContext,
  work: (place: number | undefined) => Promise<Checked<ShownZone>>,
): Promise<number> {
  const text = textGiven(given.position)
  const place = text === undefined ? undefined : numberOf(text)
  if (place === null || place === 0) {
    return rejectUsage(context, `--position "${text}" is not a whole number from 1 on. Example: --position 1`)
  }
  return printSaved(await work(place), given, context)
}

function printSaved(saved: Checked<ShownZone>, given: Given, context: CommandContext): number {
  if (!saved.ok) return printFaults(context, saved.faults, optionOf, given)
  print(saved.value, given.json === true, context)
  return 0
}

function unknownZone(text: string, context: CommandContext): number {
  return fail(context, `shipping zone "${text}" does not exist. List zones: shipping-zones list`)
}

function unknownMethod(text: string, context: CommandContext): number {
  return fail(context, `shipping method "${text}" does not exist. List methods: shipping-zones list`)
}

function numberOf(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

function print(zone: ShownZone, json: boolean, { print: line, settings }: CommandContext): void {
  if (json) {
    line(JSON.stringify(zone))
    return
  }
  const { id, name, fallback, countries, continents, postcodes } = zone
  const where = [...continents, ...countries, ...postcodes].join(', ')
  line(tableLines([[`${id}`, name, fallback ? 'everywhere else' : where || 'everywhere']])[0] ?? '')
  const rows = zone.methods.map((method) => [
    '  ',
    String(method.instanceId),
    method.method,
    method.title,
    costText(method, settings.currency),
  ])
  for (const text of tableLines(rows, [1])) line(text)
  if (rows.length === 0) line('    no method: orders cannot be shipped there')
}

function costText(method: WrittenMethod, currency: string): string {
  const parts = [method.enabled ? '' : 'disabled']
  if (method.method === 'free_shipping') {
    const spend = `from ${method.minimum} ${currency}${method.ignoreDiscounts ? ' before discounts' : ''}`
    const condition = {
      '': 'for all customers',
      coupon: 'with a coupon',
      min_amount: spend,
      either: `with a coupon or ${spend}`,
      both: `with a coupon and ${spend}`,
    }
    parts.push(condition[method.requires])
  } else {
    parts.push(method.cost, method.taxable ? '' : 'no tax')
    if (method.method === 'flat_rate') {
      for (const [name, cost] of Object.entries(method.classCosts)) parts.push(`${name || 'no class'}: ${cost}`)
      if (method.classMode === 'order') parts.push('dearest class only')
    }
  }
  return parts.filter(Boolean).join('; ')
}
