import { z } from 'zod'
import type { Checked } from '#contract/shared/merchant-rules.ts'
import { recordShape } from '#contract/shared/rest-input.ts'
import { urls } from '#contract/shared/urls.ts'
import {
  type V3Location,
  type V3Zone,
  type V3ZoneMethod,
  v3Location,
  v3LocationsInput,
  v3ShippingMethod,
  v3ShortListQuery,
  v3Zone,
  v3ZoneInput,
  v3ZoneMethod,
  v3ZoneMethodInput,
} from '#contract/shipping/v3-shipping.ts'
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
import { linkedRecord } from '../resource/linked-record.ts'
import { type V3Context, v3Call } from '../resource/v3-call.ts'
import { unknownId, V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { onlyFields } from '../response-fields.ts'
import { methodKinds, settingsOf, writtenSettings } from './method-settings.ts'

/** The fallback zone exists for programs even if it has no row yet. */
const fallbackZone: ShownZone = {
  id: 0,
  name: 'Locations not covered by your other zones',
  countries: [],
  continents: [],
  postcodes: [],
  fallback: true,
  methods: [],
}

/** `wc/v3/shipping/zones` */
export const v3ZoneCalls = v3Resource({
  path: 'shipping/zones',
  title: 'shipping zone',
  zeroIdName: 'zone_id',
  item: v3Zone,
  list: {
    query: v3ShortListQuery,
    async run({ tools }, query) {
      const zones = await zonesOf(tools)
      const start = query.offset ?? query.per_page * (query.page - 1)
      return { total: zones.length, records: zones.map(zoneRecord).slice(start, start + query.per_page) }
    },
  },
  async get({ tools }, id: number) {
    return recordOfZone(await zonesOf(tools), id)
  },
  create: {
    input: v3ZoneInput,
    async run({ tools }, { name, order }) {
      const { id } = checked(await addZone(tools, { name }, order || undefined))
      return recordOfZone(await zonesOf(tools), id)
    },
  },
  update: {
    input: v3ZoneInput,
    async run({ tools }, id, { name, order }) {
      if (id === 0) {
        throw new V3Error(
          403,
          'woocommerce_rest_shipping_zone_invalid_zone',
          'The "locations not covered by your other zones" zone cannot be updated.',
        )
      }
      await zoneWith(tools, id)
      if (name !== undefined) checked(await editZone(tools, id, { name }))
      if (order !== undefined) checked(await moveZone(tools, id, Math.max(1, order)))
      return recordOfZone(await zonesOf(tools), id)
    },
  },
  remove: {
    trash: false,
    async run({ tools }, id) {
      const record = recordOfZone(await zonesOf(tools), id)
      if (!(await removeZone(tools, id)) && id !== 0) throw unknownId('shipping_zone')
      return record
    },
  },
  links: ({ id }) => ({ describedby: [{ href: `wc/v3/shipping/zones/${id}/locations` }] }),
})

const locations = { name: 'shipping/zones/:zone_id/locations', tag: 'shipping/zones/locations' } as const

/** `wc/v3/shipping/zones/<id>/locations` */
export const v3ZoneLocationCalls = [
  v3Call({
    ...locations,
    method: 'GET',
    summary: 'List the locations of a shipping zone',
    input: z.looseObject(recordShape),
    output: z.array(linkedRecord(v3Location)),
    async answer(context, { _fields: fields }) {
      const zone = await zoneWith(context.tools, Number(context.path.zone_id))
      return locationsAnswer(context, zone, fields)
    },
  }),
  v3Call({
    ...locations,
    method: 'PUT',
    alsoMethods: ['POST', 'PATCH'],
    summary: 'Replace the locations of a shipping zone',
    listName: 'locations',
    input: v3LocationsInput,
    output: z.array(linkedRecord(v3Location)),
    async answer(context, { locations: given }) {
      const zone = await zoneWith(context.tools, Number(context.path.zone_id))
      if (zone.id === 0) {
        throw new V3Error(
          403,
          'woocommerce_rest_shipping_zone_locations_invalid_zone',
          'The "locations not covered by your other zones" zone cannot be updated.',
        )
      }
      const codes = (...types: V3Location['type'][]) =>
        given.filter(({ type }) => types.includes(type)).map(({ code }) => code)
      const places = {
        countries: codes('country', 'state'),
        continents: codes('continent'),
        postcodes: codes('postcode'),
      }
      return locationsAnswer(context, checked(await editZone(context.tools, zone.id, places)))
    },
  }),
]

/** `wc/v3/shipping/zones/<id>/methods` */
export const v3ZoneMethodCalls = v3Resource({
  path: 'shipping/zones/:zone_id/methods',
  title: 'method of a shipping zone',
  item: v3ZoneMethod,
  list: {
    query: v3ShortListQuery,
    async run({ tools, path }, query) {
      const methods = methodRecords(await zoneWith(tools, Number(path.zone_id)))
      const start = query.offset ?? query.per_page * (query.page - 1)
      return { total: methods.length, records: methods.slice(start, start + query.per_page) }
    },
  },
  async get({ tools, path }, id: number) {
    return recordOfMethod(await zoneWith(tools, Number(path.zone_id)), id)
  },
  create: {
    input: v3ZoneMethodInput,
    async run({ tools, path }, input) {
      const zone = await zoneWith(tools, Number(path.zone_id))
      const kind = methodKinds.find(({ id }) => id === input.method_id)?.id
      if (!kind) {
        const known = methodKinds.map(({ id }) => id).join(', ')
        const params = { method_id: `must be one of ${known}` }
        throw new V3Error(400, 'rest_invalid_param', 'Invalid parameter(s): method_id', params)
      }
      const written = { method: kind, ...writtenSettings(kind, input) }
      const isStored = zone.id !== 0 || (await showZones(tools)).some(({ id }) => id === 0)
      if (!isStored) checked(await addZone(tools, { name: zone.name, fallback: true }))
      const before = new Set(zone.methods.map(({ instanceId }) => instanceId))
      const after = checked(await addMethod(tools, zone.id, written, input.order || undefined))
      const made = after.methods.find(({ instanceId }) => !before.has(instanceId))
      return recordOfMethod(after, made?.instanceId ?? 0)
    },
  },
  update: {
    input: v3ZoneMethodInput,
    async run({ tools, path }, id, input) {
      const zone = await zoneWith(tools, Number(path.zone_id))
      const method = zone.methods.find(({ instanceId }) => instanceId === id)
      if (!method) throw unknownId('shipping_zone_method')
      const costs = method.method === 'flat_rate' ? method.classCosts : {}
      const written = writtenSettings(method.method, input, costs)
      if (Object.keys(written).length > 0) checked(await editMethod(tools, id, written))
      if (input.order !== undefined) checked(await moveMethod(tools, id, Math.max(1, input.order)))
      return recordOfMethod(await zoneWith(tools, zone.id), id)
    },
  },
  remove: {
    trash: false,
    async run({ tools, path }, id) {
      const record = recordOfMethod(await zoneWith(tools, Number(path.zone_id)), id)
      checked(await removeMethod(tools, id))
      return record
    },
  },
  links: (_, { path }) => ({ describes: [{ href: `wc/v3/shipping/zones/${path.zone_id}` }] }),
})

/** `wc/v3/shipping_methods`: the kinds of methods. */
export const v3ShippingMethodCalls = v3Resource({
  path: 'shipping_methods',
  title: 'kind of shipping method',
  textId: true,
  item: v3ShippingMethod,
  list: {
    query: v3ShortListQuery,
    run: async () => ({ total: methodKinds.length, records: methodKinds }),
  },
  async get(_, id: string) {
    const kind = methodKinds.find((one) => one.id === id)
    if (!kind) throw unknownId('shipping_method')
    return kind
  },
})

type ZoneTools = V3Context['tools']

/** Zones in matching order, and the fallback zone first, as programs expect. */
async function zonesOf(tools: ZoneTools): Promise<ShownZone[]> {
  const zones = await showZones(tools)
  return [zones.find(({ id }) => id === 0) ?? fallbackZone, ...zones.filter(({ id }) => id !== 0)]
}

async function zoneWith(tools: ZoneTools, id: number): Promise<ShownZone> {
  const zone = (await zonesOf(tools)).find((one) => one.id === id)
  if (!zone) throw unknownId('shipping_zone')
  return zone
}

/** @param order position among the zones: 0 for the fallback zone */
const zoneRecord = ({ id, name }: ShownZone, order: number): V3Zone => ({ id, name, order })

function recordOfZone(zones: readonly ShownZone[], id: number): V3Zone {
  const record = zones.map(zoneRecord).find((zone) => zone.id === id)
  if (!record) throw unknownId('shipping_zone')
  return record
}

const methodRecords = ({ methods }: ShownZone): V3ZoneMethod[] =>
  methods.map((method, place) => {
    const kind = methodKinds.find(({ id }) => id === method.method)
    return {
      id: method.instanceId,
      instance_id: method.instanceId,
      title: method.title,
      order: place + 1,
      enabled: method.enabled,
      method_id: method.method,
      method_title: kind?.title ?? method.method,
      method_description: kind?.description ?? '',
      settings: settingsOf(method),
    }
  })

function recordOfMethod(zone: ShownZone, id: number): V3ZoneMethod {
  const record = methodRecords(zone).find((method) => method.id === id)
  if (!record) throw unknownId('shipping_zone_method')
  return record
}

function locationsAnswer(
  { tools }: V3Context,
  { id, countries, continents, postcodes }: ShownZone,
  fields?: readonly string[],
): Response {
  const places: V3Location[] = [
    ...countries.map((code) => ({ code, type: code.includes(':') ? ('state' as const) : ('country' as const) })),
    ...continents.map((code) => ({ code, type: 'continent' as const })),
    ...postcodes.map((code) => ({ code, type: 'postcode' as const })),
  ]
  const zone = `${tools.publicUrl}${urls.rest(`wc/v3/shipping/zones/${id}`)}`
  const _links = { collection: [{ href: `${zone}/locations` }], describes: [{ href: zone }] }
  return Response.json(places.map((place) => onlyFields({ ...place, _links }, fields)))
}

/** @throws V3Error with the faults by their members */
function checked<Value>(result: Checked<Value>): Value {
  if (result.ok) return result.value
  const params = Object.fromEntries(result.faults.map(({ key, problem }) => [key || 'id', problem]))
  throw new V3Error(400, 'rest_invalid_param', `Invalid parameter(s): ${Object.keys(params).join(', ')}`, params)
}
