import pg from 'pg'

/** An error that the server reports, with its SQLSTATE as `code`. */
export const DatabaseError = pg.DatabaseError
export type DatabaseError = InstanceType<typeof DatabaseError>

type Code = 'CONNECTION_CLOSED' | 'CONNECTION_ENDED' | 'CONNECTION_DESTROYED' | 'CONNECT_TIMEOUT'

export const connectionError = (code: Code, message: string, cause?: unknown): Error =>
  Object.assign(new Error(`${code}: ${message}`, { cause }), { code })

/** The server ends a connection with such an error, or has not let it in. */
export const isFatal = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC')

/** A prepared statement that a changed table has made invalid, or that the server does not have. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.routine === 'RevalidateCachedQuery' || error.routine === 'FetchPreparedStatement')

/** Returns why a connection was lost. Errors of the system are told as they are. */
export function lossOf(cause: unknown): Error {
  const isOfDriver = !(cause instanceof Error) || /^(Connection terminated|Client )/.test(cause.message)
  return isOfDriver || isFatal(cause) ? connectionError('CONNECTION_CLOSED', 'the connection was lost', cause) : cause
}

/** Returns why a connection could not be opened. */
export function refusalOf(cause: unknown): Error {
  if (cause instanceof Error && cause.message === 'timeout expired') {
    return connectionError('CONNECT_TIMEOUT', 'the server does not answer', cause)
  }
  return cause instanceof DatabaseError ? cause : lossOf(cause)
}
