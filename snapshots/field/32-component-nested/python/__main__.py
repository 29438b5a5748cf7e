import pulumi

from site_component import Site

config = pulumi.Config()
domain_name = config.get("domainName", "example.com")

site = Site("site", domain=domain_name, admins={"ops": "ops@example.com"})

pulumi.export("certificate", site.certificate_pem)
pulumi.export("fingerprint", site.fingerprint)
