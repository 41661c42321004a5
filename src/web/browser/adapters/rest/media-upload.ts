import { postProcessAction, restErrorCodes, restHeaders } from '#contract/shared/rest.ts'
import { RestError, type RestWords } from './rest-error.ts'
import { bodyOf, isResponse, type RestMiddleware, type RestNext, type RestRequest, refusalIn } from './rest-request.ts'

const mostTries = 5

/**
 * Completes an upload: if a stored file lacks its sizes, they are requested again; after a final failure the file is
 * deleted.
 */
export function mediaUpload(words: RestWords): RestMiddleware {
  return async (request, next) => {
    if (!isUpload(request)) return next(request)
    const { parse = true, signal } = request
    const given = async (response: unknown) =>
      parse && isResponse(response) ? bodyOf(response, words, signal) : response
    let failed: Response
    try {
      return await given(await next({ ...request, parse: false }))
    } catch (error) {
      if (!isResponse(error)) throw error
      failed = error
    }
    const id = unfinishedUpload(failed)
    if (id === undefined) throw parse ? await refusalIn(failed, words, signal) : failed
    const finished = await sizesOf(id, next, signal)
    if (finished) return given(finished)
    void deleteUpload(id, next)
    if (signal?.aborted) throw signal.reason
    throw parse ? new RestError(restErrorCodes.postProcess, words.postProcess) : failed
  }
}

function isUpload({ method = 'GET', path = '', url = '' }: RestRequest): boolean {
  return method.toUpperCase() === 'POST' && [path, url].some((address) => address.includes('/wp/v2/media'))
}

/** Returns the id of a file that was stored despite the server error; undefined without one. */
function unfinishedUpload({ status, headers }: Response): string | undefined {
  const id = headers.get(restHeaders.attachment)
  return status >= 500 && status < 600 && id !== null && /^\d+$/.test(id) ? id : undefined
}

async function sizesOf(id: string, next: RestNext, signal?: AbortSignal): Promise<Response | undefined> {
  for (let tried = 0; tried < mostTries && !signal?.aborted; tried++) {
    const answer = await next({
      path: `/wp/v2/media/${id}/post-process`,
      method: 'POST',
      data: { action: postProcessAction },
      parse: false,
      ...(signal ? { signal } : {}),
    }).catch(() => undefined)
    if (isResponse(answer)) return answer
  }
  return undefined
}

/** Runs in the background: after a failure only an unreferenced file remains. */
async function deleteUpload(id: string, next: RestNext): Promise<void> {
  await next({ path: `/wp/v2/media/${id}?force=true`, method: 'DELETE', parse: false, keepalive: true }).catch(
    () => undefined,
  )
}
