import { z } from 'zod'
import { refuse } from '../../calls/shared/refuse-call.ts'

/** What is wrong with a request's parameters, by their names. */
export function invalidParameters(error: z.ZodError): Response {
  const faults = Object.entries(z.flattenError(error).fieldErrors) as [string, string[] | undefined][]
  const params = Object.fromEntries(faults.map(([name, problems]) => [name, problems?.[0] ?? 'is not valid']))
  const names = Object.keys(params).join(', ')
  return refuse({ door: 'rest' }, 400, 'rest_invalid_param', `Invalid parameter(s): ${names}`, {}, params)
}

/**
 * The members of a record that were asked for.
 * @param fields `['id', 'billing.email']`; undefined: all of it. A list's members are asked for like those of its records.
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
  // One that ends here wants the whole.
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
