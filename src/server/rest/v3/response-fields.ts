import { z } from 'zod'
import { refuse } from '../../calls/shared/refuse-call.ts'

/** Answers with the faults of a request's parameters, by name. */
export function invalidParameters(error: z.ZodError): Response {
  const faults = Object.entries(z.flattenError(error).fieldErrors) as [string, string[] | undefined][]
  const params = Object.fromEntries(faults.map(([name, problems]) => [name, problems?.[0] ?? 'is not valid']))
  const names = Object.keys(params).join(', ')
  return refuse({ door: 'rest' }, 400, 'rest_invalid_param', `Invalid parameter(s): ${names}`, {}, params)
}

/**
 * Returns the requested fields of a record.
 * @param fields `['id', 'billing.email']`; undefined: all. Fields of a list are named like those of its items.
 */
export function onlyFields(record: Readonly<Record<string, unknown>>, fields: readonly string[] | undefined): unknown {
  return fields === undefined
    ? record
    : picked(
        record,
        fields.map((field) => field.split('.')),
      )
}

function picked(value: unknown, paths: readonly (readonly string[])[]): unknown {
  // A path that ends here selects the whole value.
  if (paths.some((path) => path.length === 0)) return value
  if (Array.isArray(value)) return value.map((one: unknown) => picked(one, paths))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const inside = paths.filter(([first]) => first === name).map((path) => path.slice(1))
      return inside.length === 0 ? [] : [[name, picked(member, inside)]]
    }),
  )
}
