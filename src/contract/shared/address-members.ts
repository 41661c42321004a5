import { type PostalKey, postalKeys } from '#domain/addresses/address-fields.ts'

/** Returns the members of an address without its email, each with the same schema. */
export const addressMembers = <Schema>(schema: Schema): Readonly<Record<PostalKey, Schema>> =>
  // Justifies the cast: one entry for each field.
  Object.fromEntries(postalKeys.map((key) => [key, schema])) as Record<PostalKey, Schema>
