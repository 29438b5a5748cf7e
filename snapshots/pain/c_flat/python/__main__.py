import pulumi

from web import Web

web = Web("web", prefix="x")

pulumi.export("id", web.pet_id)
