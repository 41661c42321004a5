import { z } from 'zod'

/** A schema of JSON Schema 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = { readonly [member: string]: unknown }

/** Names of the schemas that are components of the document, by their zod schema. */
export type ComponentNames = { get(schema: object): string | undefined }

/**
 * Converts a zod schema.
 * @param io `input`: values that the schema accepts, with defaults optional; `output`: values that it returns
 * @param names replaced by references; the schema itself is converted in full
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', names: ComponentNames): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io,
    // Dates and the like have no JSON form: such a member is described as any value.
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const own: object = zodSchema
      const name = own === schema ? undefined : names.get(own)
      if (name === undefined) return
      for (const member of Object.keys(jsonSchema)) delete jsonSchema[member]
      jsonSchema.$ref = componentRef(name)
    },
  })
  return withoutNoise(converted) as JsonSchema
}

export const componentRef = (name: string): string => `#/components/schemas/${name}`

/** The schema of a list's entries; the schema itself if it is no list. */
export const recordOf = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodArray ? (schema.element as z.ZodType) : schema

/** Removes bounds that only state that a number is exact in JavaScript, and names of members that may be any text. */
function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, inner]: [string, unknown]) => {
      if (member === 'maximum' && inner === Number.MAX_SAFE_INTEGER) return []
      if (member === 'minimum' && inner === Number.MIN_SAFE_INTEGER) return []
      if (member === 'propertyNames' && JSON.stringify(inner) === '{"type":"string"}') return []
      return [[member, withoutNoise(inner)]]
    }),
  )
}
