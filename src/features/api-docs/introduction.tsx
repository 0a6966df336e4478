// What a script author needs to know before the first call.

const AN_ERROR = `{ "detail": "Incorrect email or password" }`;

const A_FIELD_ERROR = `{
  "detail": [
    {
      "type": "missing",
      "loc": ["body", "username"],
      "msg": "Field required",
      "input": null
    }
  ]
}`;

const signIn = (server: string) => `TOCSIN=${server}
read -rs PASSWORD

TOKEN=$(curl -fsS "$TOCSIN/api/v1/auth/token" \\
  --data-urlencode 'username=you@lab.example' \\
  --data-urlencode "password=$PASSWORD" |
  jq -r .access_token)`;

const USE_TOKEN = `curl "$TOCSIN/api/v1/auth/me" \\
  -H "Authorization: Bearer $TOKEN"`;

export const Introduction = ({ server }: { server: string }) => (
  <section aria-labelledby="introduction">
    <h1 id="introduction">HTTP interface</h1>
    <p class="lead">
      Everything the pages of Tocsin do with alarms, mutes, downtimes and limits, a script can do too. This
      page is made from the <a href="/api/v1/openapi.json">OpenAPI description</a>, which client generators
      read.
    </p>

    <div class="cards">
      <section class="card" aria-labelledby="get-a-token">
        <h2 id="get-a-token">Get a token</h2>
        <p>
          Exchange email and password for a token. It is good for 8 hours; there is no refresh, so ask for the
          next one in time. Logging out or changing the password revokes all tokens of the account.
        </p>
        <pre>
          <code>{signIn(server)}</code>
        </pre>
        <p>
          After five failed attempts in a row the answer is <code>429</code> for a while:{' '}
          <code>Retry-After</code> says for how many seconds.
        </p>
      </section>

      <section class="card" aria-labelledby="send-it">
        <h2 id="send-it">Send it</h2>
        <p>
          Every later request carries the token as bearer. What it may do depends on the account's role in the
          organization of the service, looked up anew on every request.
        </p>
        <pre>
          <code>{USE_TOKEN}</code>
        </pre>
        <p>
          Fields travel as <code>application/x-www-form-urlencoded</code> or <code>multipart/form-data</code>.
          Leave the header <code>HX-Request</code> to the pages: with it, some answers are pieces of HTML.
        </p>
      </section>

      <section class="card" aria-labelledby="read-errors">
        <h2 id="read-errors">Read errors</h2>
        <p>
          Under <code>/api/v1/</code> every error is a JSON object with the key <code>detail</code>, usually a
          sentence:
        </p>
        <pre>
          <code>{AN_ERROR}</code>
        </pre>
        <p>
          With <code>422</code> it is a list of the fields at fault:
        </p>
        <pre>
          <code>{A_FIELD_ERROR}</code>
        </pre>
        <p>
          <code>401</code> means that the caller is unknown, <code>403</code> that the caller may not do this.
        </p>
      </section>

      <section class="card" aria-labelledby="look-twice">
        <h2 id="look-twice">Look twice at success</h2>
        <p>
          <strong>
            Unacknowledge, mute and unmute answer <code>200</code> even when they failed unexpectedly.
          </strong>{' '}
          The body then has <code>"status": "error"</code> and a <code>message</code>: check{' '}
          <code>status</code>, not only the code.
        </p>
        <p>
          Some endpoints answer with a redirect or a piece of HTML instead of JSON; each one says so below.
        </p>
        <h2 id="times-and-ids">Times and ids</h2>
        <p>
          Times are ISO 8601 in UTC with their offset: <code>2026-11-15T02:00:00.000+00:00</code>. Ids are
          whole numbers from 1 to 2147483647.
        </p>
        <p>Ask for the list of alarms once a minute at most.</p>
      </section>
    </div>
  </section>
);
