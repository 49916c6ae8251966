"""JSON Web Tokens of a configured issuer, verified with PyJWT; and an issuer for development.

```python
verifier = JwtVerifier(TokenRules(issuer="https://login.example.com/", audience="orders"), UrlKeys(jwks_url))
claims = await verifier.verify(token)
```
"""

from axhub.agent.adapters.tokens.claims import TokenRules
from axhub.agent.adapters.tokens.development import DevelopmentIssuer, DevelopmentOnlyError
from axhub.agent.adapters.tokens.keys import Keys, KeySource, file_keys, inline_keys
from axhub.agent.adapters.tokens.url_keys import UrlKeys
from axhub.agent.adapters.tokens.verifier import JwtVerifier

__all__ = [
    "DevelopmentIssuer",
    "DevelopmentOnlyError",
    "JwtVerifier",
    "KeySource",
    "Keys",
    "TokenRules",
    "UrlKeys",
    "file_keys",
    "inline_keys",
]
